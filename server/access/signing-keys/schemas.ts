import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import {
  AnsweredId,
  EXAMPLE_TIME,
  exampleOf,
  Id,
  Name,
  named,
  Pagination,
  ref,
  Timestamp,
} from '../../http/schemas.ts'

const SigningKey = named(
  'SigningKey',
  Type.Object({
    id: AnsweredId<'signingKey'>(),
    project_id: AnsweredId<'project'>(),
    name: Type.String(),
    public_key: Type.String({ description: 'Ed25519, SPKI as PEM' }),
    created_at: Timestamp,
    private_key: Type.Optional(
      Type.String({ description: 'PKCS #8 as PEM; shown only when it is made, and kept nowhere here' }),
    ),
  }),
  {
    id: exampleId('signingKey'),
    project_id: exampleId('project'),
    name: 'App server',
    public_key: '-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n',
    created_at: EXAMPLE_TIME,
  },
)
export type SigningKey = Static<typeof SigningKey>

export const SigningKeyResult = named('SigningKeyResult', Type.Object({ signing_key: ref(SigningKey) }), {
  signing_key: {
    ...exampleOf(SigningKey),
    private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
  },
})

export const SigningKeyList = named(
  'SigningKeyList',
  Type.Object({ data: Type.Array(ref(SigningKey)), pagination: ref(Pagination) }),
  { data: [exampleOf(SigningKey)], pagination: exampleOf(Pagination) },
)

export const NewSigningKey = named('NewSigningKey', Type.Object({ project_id: Id('project'), name: Name }), {
  project_id: exampleId('project'),
  name: 'App server',
})
export type NewSigningKey = Static<typeof NewSigningKey>

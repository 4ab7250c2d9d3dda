import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { AnsweredId, EXAMPLE_TIME, exampleOf, Id, Name, named, ref, Timestamp } from '../../http/schemas.ts'

export const ApiKey = named(
  'ApiKey',
  Type.Object({
    id: AnsweredId<'key'>(),
    org_id: AnsweredId<'organization'>(),
    project_id: AnsweredId<'project'>(),
    project_name: Type.String(),
    name: Type.String(),
    kind: Type.String({
      enum: ['sk', 'pk'],
      description: 'sk: secret, for servers. pk: publishable, safe in a browser.',
    }),
    created_at: Timestamp,
    expiring_at: Type.Optional(Timestamp),
    last_used: Type.Optional(Timestamp),
    secret: Type.Optional(Type.String({ description: 'The key itself; shown only when it is made.' })),
  }),
  {
    id: exampleId('key'),
    org_id: exampleId('organization'),
    project_id: exampleId('project'),
    project_name: 'Films',
    name: 'Backend',
    kind: 'sk',
    created_at: EXAMPLE_TIME,
    last_used: EXAMPLE_TIME,
  },
)
export type ApiKey = Static<typeof ApiKey>

export const ApiKeyResult = named('ApiKeyResult', Type.Object({ api_key: ref(ApiKey) }), {
  api_key: { ...exampleOf(ApiKey), secret: 'mq_sk_01k9z3v5q8c7m2x4n6b1d0f3gh_shown-once' },
})

export const ApiKeyList = named(
  'ApiKeyList',
  Type.Object({ api_keys: Type.Array(ref(ApiKey)), total: Type.Integer() }),
  { api_keys: [exampleOf(ApiKey)], total: 1 },
)

export const NewKey = named(
  'NewApiKey',
  Type.Object({
    name: Name,
    project_id: Id('project'),
    kind: Type.Optional(Type.Unsafe<'sk' | 'pk'>({ type: 'string', enum: ['sk', 'pk'], default: 'sk' })),
    expiring_at: Type.Optional(Timestamp),
  }),
  { name: 'Backend', project_id: exampleId('project'), kind: 'sk' },
)
export type NewKey = Static<typeof NewKey>

export const Rotation = named(
  'ApiKeyRotation',
  Type.Object({
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86400,
        default: 0,
        description: 'How long the old secret goes on working.',
      }),
    ),
  }),
  { grace_seconds: 3600 },
)

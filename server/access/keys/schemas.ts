import { type Static, Type } from 'typebox'
import { Id, Name, named, Timestamp } from '../../http/schemas.ts'

export const ApiKey = named(
  'ApiKey',
  Type.Object({
    id: Type.String(),
    org_id: Type.String(),
    project_id: Type.String(),
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
)
export type ApiKey = Static<typeof ApiKey>

export const NewKey = Type.Object({
  name: Name,
  project_id: Id('project'),
  kind: Type.Optional(Type.Unsafe<'sk' | 'pk'>({ type: 'string', enum: ['sk', 'pk'], default: 'sk' })),
  expiring_at: Type.Optional(Timestamp),
})
export type NewKey = Static<typeof NewKey>

export const Rotation = Type.Object({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30 * 86400,
      default: 0,
      description: 'How long the old secret goes on working.',
    }),
  ),
})

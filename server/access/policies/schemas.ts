import { type Static, Type } from 'typebox'
import { Id, Name, named, Prose, Timestamp } from '../../http/schemas.ts'

export const Policy = named(
  'Policy',
  Type.Object(
    {
      id: Type.String(),
      org_id: Type.String(),
      name: Type.String(),
      description: Type.String(),
      permissions: Type.Array(Type.String()),
      created_by: Type.String(),
      created_at: Timestamp,
      updated_at: Timestamp,
    },
    { additionalProperties: false },
  ),
)
export type Policy = Static<typeof Policy>

const Permissions = Type.Array(Type.String(), {
  maxItems: 100,
  uniqueItems: true,
  description: '`resource:action`, either part may be `*`',
})

export const NewPolicy = Type.Object({
  name: Name,
  description: Type.Optional(Prose),
  permissions: Permissions,
})
export type NewPolicy = Static<typeof NewPolicy>

export const PolicyChange = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Prose),
  permissions: Type.Optional(Permissions),
})
export type PolicyChange = Static<typeof PolicyChange>

const IDENTITY_TYPES = ['POLICY_IDENTITY_TYPE_USER', 'POLICY_IDENTITY_TYPE_API_KEY'] as const
const IdentityType = Type.Unsafe<(typeof IDENTITY_TYPES)[number]>({
  type: 'string',
  enum: [...IDENTITY_TYPES],
})

export const Attachment = named(
  'PolicyAttachment',
  Type.Object({
    id: Type.String(),
    policy_id: Type.String(),
    identity_type: IdentityType,
    identity_id: Type.String(),
    created_at: Timestamp,
  }),
)
export type Attachment = Static<typeof Attachment>

export const NewAttachment = Type.Union([
  Type.Object({ identity_type: Type.Literal('POLICY_IDENTITY_TYPE_USER'), identity_id: Id('user') }),
  Type.Object({ identity_type: Type.Literal('POLICY_IDENTITY_TYPE_API_KEY'), identity_id: Id('key') }),
])
export type NewAttachment = Static<typeof NewAttachment>

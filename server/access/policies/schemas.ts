import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import {
  AnsweredId,
  EXAMPLE_TIME,
  exampleOf,
  Id,
  Name,
  named,
  Prose,
  ref,
  Timestamp,
} from '../../http/schemas.ts'

export const Policy = named(
  'Policy',
  Type.Object(
    {
      id: AnsweredId<'policy'>(),
      org_id: AnsweredId<'organization'>(),
      name: Type.String(),
      description: Type.String(),
      permissions: Type.Array(Type.String()),
      created_by: Type.String(),
      created_at: Timestamp,
      updated_at: Timestamp,
    },
    { additionalProperties: false },
  ),
  {
    id: exampleId('policy'),
    org_id: exampleId('organization'),
    name: 'Editors',
    description: 'May change videos and read figures',
    permissions: ['videos:write', 'analytics:read'],
    created_by: exampleId('user'),
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type Policy = Static<typeof Policy>

export const PolicyList = named('PolicyList', Type.Object({ policies: Type.Array(ref(Policy)) }), {
  policies: [exampleOf(Policy)],
})

const Permission = named('Permission', Type.Object({ name: Type.String(), offset: Type.Integer() }), {
  name: 'videos:read',
  offset: 0,
})

export const PermissionList = named(
  'PermissionList',
  Type.Object({ permissions: Type.Array(ref(Permission)) }),
  { permissions: [exampleOf(Permission)] },
)

const Permissions = Type.Array(Type.String(), {
  maxItems: 100,
  uniqueItems: true,
  description: '`resource:action`, either part may be `*`',
})

export const NewPolicy = named(
  'NewPolicy',
  Type.Object({ name: Name, description: Type.Optional(Prose), permissions: Permissions }),
  { name: 'Editors', description: 'May change videos and read figures', permissions: ['videos:write'] },
)
export type NewPolicy = Static<typeof NewPolicy>

export const PolicyChange = named(
  'PolicyChange',
  Type.Object({
    name: Type.Optional(Name),
    description: Type.Optional(Prose),
    permissions: Type.Optional(Permissions),
  }),
  { permissions: ['videos:write', 'analytics:read'] },
)
export type PolicyChange = Static<typeof PolicyChange>

const IDENTITY_TYPES = ['POLICY_IDENTITY_TYPE_USER', 'POLICY_IDENTITY_TYPE_API_KEY'] as const
const IdentityType = Type.Unsafe<(typeof IDENTITY_TYPES)[number]>({
  type: 'string',
  enum: [...IDENTITY_TYPES],
})

export const Attachment = named(
  'PolicyAttachment',
  Type.Object({
    id: AnsweredId<'attachment'>(),
    policy_id: AnsweredId<'policy'>(),
    identity_type: IdentityType,
    identity_id: Type.String(),
    created_at: Timestamp,
  }),
  {
    id: exampleId('attachment'),
    policy_id: exampleId('policy'),
    identity_type: 'POLICY_IDENTITY_TYPE_USER',
    identity_id: exampleId('user'),
    created_at: EXAMPLE_TIME,
  },
)
export type Attachment = Static<typeof Attachment>

export const AttachmentList = named(
  'PolicyAttachmentList',
  Type.Object({ attachments: Type.Array(ref(Attachment)) }),
  { attachments: [exampleOf(Attachment)] },
)

const UserAttachment = named(
  'NewUserAttachment',
  Type.Object({ identity_type: Type.Literal('POLICY_IDENTITY_TYPE_USER'), identity_id: Id('user') }),
  { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: exampleId('user') },
)

const KeyAttachment = named(
  'NewKeyAttachment',
  Type.Object({ identity_type: Type.Literal('POLICY_IDENTITY_TYPE_API_KEY'), identity_id: Id('key') }),
  { identity_type: 'POLICY_IDENTITY_TYPE_API_KEY', identity_id: exampleId('key') },
)

export const NewAttachment = named(
  'NewPolicyAttachment',
  Type.Union([ref(UserAttachment), ref(KeyAttachment)]),
  exampleOf(UserAttachment),
)
export type NewAttachment = Static<typeof NewAttachment>

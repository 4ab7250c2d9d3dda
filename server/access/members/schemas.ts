import { type Static, Type } from 'typebox'
import { Email, Id, named, Timestamp } from '../../http/schemas.ts'

const ROLES = ['owner', 'member'] as const
export type Role = (typeof ROLES)[number]
export const RoleField = Type.Unsafe<Role>({
  type: 'string',
  enum: [...ROLES],
  description: 'An owner may do everything; a member what their policies say.',
})

const STATUSES = ['active', 'suspended'] as const
export type MemberStatus = (typeof STATUSES)[number]
export const StatusField = Type.Unsafe<MemberStatus>({
  type: 'string',
  enum: [...STATUSES],
  description: 'A suspended member keeps role and policies, and may do nothing.',
})

export const Member = named(
  'Member',
  Type.Object({
    user_id: Type.String(),
    email: Type.String(),
    email_verified: Type.Boolean({
      description:
        'Whether the address is known to be theirs. Where it is not, the account is good for this organization only.',
    }),
    role: RoleField,
    status: StatusField,
    policy_ids: Type.Array(Type.String()),
    created_at: Timestamp,
  }),
)
export type Member = Static<typeof Member>

export const Invitation = named(
  'Invitation',
  Type.Object({
    id: Type.String(),
    org_id: Type.String(),
    email: Type.String(),
    role: RoleField,
    policy_ids: Type.Array(Type.String()),
    invited_by: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    token: Type.Optional(
      Type.String({
        description:
          'Proves the invitation; shown only when it is made, and only where no mail is set up: pass it on to the invited. Else it is mailed to the address and shown to nobody.',
      }),
    ),
  }),
)
export type Invitation = Static<typeof Invitation>

export const NewInvitation = Type.Object({
  email: Email,
  role: Type.Optional(RoleField),
  policy_ids: Type.Optional(Type.Array(Id('policy'), { maxItems: 100, uniqueItems: true })),
})
export type NewInvitation = Static<typeof NewInvitation>

export const Acceptance = Type.Object({
  token: Type.String({ maxLength: 200 }),
  password: Type.String({ maxLength: 1000 }),
})

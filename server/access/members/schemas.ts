import { type Static, Type } from 'typebox'
import { exampleId } from '../../base/ids.ts'
import { AnsweredId, Email, EXAMPLE_TIME, exampleOf, Id, named, ref, Timestamp } from '../../http/schemas.ts'

const ROLES = ['owner', 'member'] as const
export type Role = (typeof ROLES)[number]
export const RoleField = Type.Unsafe<Role>({
  type: 'string',
  enum: [...ROLES],
  description: 'An owner may do everything; a member what their policies say.',
})

const STATUSES = ['active', 'suspended'] as const
export type MemberStatus = (typeof STATUSES)[number]
const StatusField = Type.Unsafe<MemberStatus>({
  type: 'string',
  enum: [...STATUSES],
  description: 'A suspended member keeps role and policies, and may do nothing.',
})

export const Member = named(
  'Member',
  Type.Object({
    user_id: AnsweredId<'user'>(),
    email: Type.String(),
    email_verified: Type.Boolean({
      description:
        'Whether the address is known to be theirs. Where it is not, the account is good for this organization only.',
    }),
    role: RoleField,
    status: StatusField,
    policy_ids: Type.Array(AnsweredId<'policy'>()),
    created_at: Timestamp,
  }),
  {
    user_id: exampleId('user'),
    email: 'ada@example.com',
    email_verified: true,
    role: 'member',
    status: 'active',
    policy_ids: [exampleId('policy')],
    created_at: EXAMPLE_TIME,
  },
)
export type Member = Static<typeof Member>

export const Invitation = named(
  'Invitation',
  Type.Object({
    id: AnsweredId<'invitation'>(),
    org_id: AnsweredId<'organization'>(),
    email: Type.String(),
    role: RoleField,
    policy_ids: Type.Array(AnsweredId<'policy'>()),
    invited_by: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    token: Type.Optional(
      Type.String({
        description:
          'Proves the invitation; shown only when it is made, and only where it is not mailed: pass it on to the invited. Else it is mailed to the address and shown to nobody.',
      }),
    ),
    link: Type.Optional(
      Type.String({
        description: 'The page where the invited accept it; has the token, and is shown where that is.',
      }),
    ),
  }),
  {
    id: exampleId('invitation'),
    org_id: exampleId('organization'),
    email: 'grace@example.com',
    role: 'member',
    policy_ids: [exampleId('policy')],
    invited_by: exampleId('user'),
    created_at: EXAMPLE_TIME,
    expires_at: '2026-05-11T09:30:00.000Z',
  },
)
export type Invitation = Static<typeof Invitation>

export const MemberList = named(
  'MemberList',
  Type.Object({
    members: Type.Array(ref(Member)),
    total: Type.Integer(),
    invitations: Type.Array(ref(Invitation)),
  }),
  { members: [exampleOf(Member)], total: 1, invitations: [exampleOf(Invitation)] },
)

export const InvitationList = named(
  'InvitationList',
  Type.Object({ invitations: Type.Array(ref(Invitation)), total: Type.Integer() }),
  { invitations: [exampleOf(Invitation)], total: 1 },
)

export const NewInvitation = named(
  'NewInvitation',
  Type.Object({
    email: Email,
    role: Type.Optional(RoleField),
    policy_ids: Type.Optional(Type.Array(Id('policy'), { maxItems: 100, uniqueItems: true })),
    as_link: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'true: nothing is mailed, also where mail is set up; the answer has the `link` to pass on',
      }),
    ),
  }),
  { email: 'grace@example.com', role: 'member', policy_ids: [exampleId('policy')], as_link: false },
)
export type NewInvitation = Static<typeof NewInvitation>

export const Acceptance = named(
  'InvitationAcceptance',
  Type.Object({
    token: Type.String({ maxLength: 200 }),
    password: Type.String({ maxLength: 1000 }),
  }),
  { token: 'the-token-of-the-invitation', password: 'a long enough password' },
)

/** What the page for accepting shows to who has the token. */
export const ShownInvitation = named(
  'ShownInvitation',
  Type.Object({
    organization: Type.String({ description: 'its name' }),
    email: Type.String(),
    role: RoleField,
    expires_at: Timestamp,
  }),
  {
    organization: 'Harbour Films',
    email: 'grace@example.com',
    role: 'member',
    expires_at: '2026-05-11T09:30:00.000Z',
  },
)
export type ShownInvitation = Static<typeof ShownInvitation>

export const InvitationToken = named(
  'InvitationToken',
  Type.Object({ token: Type.String({ maxLength: 200 }) }),
  { token: 'the-token-of-the-invitation' },
)

export const RoleChange = named('RoleChange', Type.Object({ role: RoleField }), { role: 'owner' })
export const StatusChange = named('StatusChange', Type.Object({ status: StatusField }), {
  status: 'suspended',
})

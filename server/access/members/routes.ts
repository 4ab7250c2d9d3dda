import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { pageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { inviteMember, listInvitations, withdrawInvitation } from './invitations.ts'
import type { InvitationMail } from './mail-invitation.ts'
import { changeRole, changeStatus, listMembers, removeMember } from './members.ts'
import {
  Invitation,
  InvitationList,
  Member,
  MemberList,
  NewInvitation,
  RoleChange,
  StatusChange,
} from './schemas.ts'

const tag = 'Members'
const OfOrganization = Type.Object({ org_id: Id('organization') })
const OneMember = Type.Object({ org_id: Id('organization'), user_id: Id('user') })
const ERRORS = { 404: 'Not Found', 409: 'Conflict' }
const OneInvitation = Type.Object({ org_id: Id('organization'), invitation_id: Id('invitation') })

export interface MemberDeps {
  sql: Sql
  invitationLifetimeSeconds: number
  invitationMail: InvitationMail | undefined
  /** Where the public finds the service. */
  baseUrl: string
}

export function memberRoutes(app: App, deps: MemberDeps): void {
  const { sql } = deps

  app.get(
    '/auth/v1/memberships/:org_id/members',
    operation({
      tag,
      id: 'listMembers',
      summary: 'List the members of an organization and the open invitations',
      request: { params: OfOrganization, querystring: pageQuery('user_id', 'asc') },
      answers: { 200: ref(MemberList) },
    }),
    (request) => listMembers(request.caller, request.params.org_id, request.query, sql),
  )

  app.post(
    '/auth/v1/memberships/:org_id/invite',
    operation({
      tag,
      id: 'inviteMember',
      summary: 'Invite somebody',
      description:
        'Where mail is set up, the token is mailed to the address and shown to nobody. Where it is not, or with `as_link`, the answer has it, and a link with it: pass that on. An open invitation of the same address is replaced, by those who could have made it; one for an owner is withdrawn first.',
      errors: ERRORS,
      request: { params: OfOrganization, body: NewInvitation },
      answers: { 201: ref(Invitation) },
    }),
    async (request, reply) => {
      const { invitationLifetimeSeconds: lifetimeSeconds, invitationMail: mail, baseUrl } = deps
      const options = { sql, lifetimeSeconds, baseUrl, mail }
      return reply
        .code(201)
        .send(await inviteMember(request.caller, request.params.org_id, request.body, options))
    },
  )

  app.get(
    '/auth/v1/memberships/:org_id/invitations',
    operation({
      tag,
      id: 'listInvitations',
      summary: 'List the open invitations of an organization',
      request: { params: OfOrganization, querystring: pageQuery('created_at', 'asc') },
      answers: { 200: ref(InvitationList) },
    }),
    (request) => listInvitations(request.caller, request.params.org_id, request.query, sql),
  )

  app.delete(
    '/auth/v1/memberships/:org_id/invitations/:invitation_id',
    operation({
      tag,
      id: 'withdrawInvitation',
      summary: 'Withdraw an invitation; its token is worth nothing from then on',
      description: 'Takes `members:write`, and somebody who holds what the invitation would give.',
      errors: { 404: 'Not Found' },
      request: { params: OneInvitation },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await withdrawInvitation(request.caller, request.params.org_id, request.params.invitation_id, sql)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/auth/v1/memberships/:org_id/members/:user_id',
    operation({
      tag,
      id: 'removeMember',
      summary: 'Remove a member, or leave',
      description: 'Removing somebody takes `members:delete`; leaving takes nothing. The last owner stays.',
      errors: ERRORS,
      request: { params: OneMember },
      answers: { 204: Type.Null() },
    }),
    async (request, reply) => {
      await removeMember(request.caller, request.params.org_id, request.params.user_id, sql)
      return reply.code(204).send(null)
    },
  )

  app.patch(
    '/auth/v1/memberships/:org_id/members/:user_id/role',
    operation({
      tag,
      id: 'setMemberRole',
      summary: 'Make a member an owner, or an owner a member',
      errors: ERRORS,
      request: { params: OneMember, body: RoleChange },
      answers: { 200: ref(Member) },
    }),
    (request) => {
      const { org_id: orgId, user_id: userId } = request.params
      return changeRole(request.caller, { orgId, userId, role: request.body.role }, sql)
    },
  )

  app.patch(
    '/auth/v1/memberships/:org_id/members/:user_id/status',
    operation({
      tag,
      id: 'setMemberStatus',
      summary: 'Suspend a member, or let them in again',
      description:
        'A suspended member is refused from the next request on, whatever tokens they hold. API keys that they made are the project’s and go on.',
      errors: ERRORS,
      request: { params: OneMember, body: StatusChange },
      answers: { 200: ref(Member) },
    }),
    (request) => {
      const { org_id: orgId, user_id: userId } = request.params
      return changeStatus(request.caller, { orgId, userId, status: request.body.status }, sql)
    },
  )
}

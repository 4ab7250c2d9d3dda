import { Type } from 'typebox'
import { operation } from '../../http/operation.ts'
import { PageQuery } from '../../http/pagination.ts'
import { Id, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { changeRole } from './change-role.ts'
import { inviteMember } from './invite-member.ts'
import { listMembers } from './list-members.ts'
import { removeMember } from './remove-member.ts'
import { Invitation, Member, NewInvitation, RoleField } from './schemas.ts'

const tag = 'Members'
const OfOrganization = Type.Object({ org_id: Id('organization') })
const OneMember = Type.Object({ org_id: Id('organization'), user_id: Id('user') })
const ERRORS = { 404: 'Not Found', 409: 'Conflict' }

export function memberRoutes(app: App, deps: { sql: Sql; invitationLifetime: number }): void {
  const { sql } = deps
  app.addSchema(Member)
  app.addSchema(Invitation)

  app.get(
    '/auth/v1/memberships/:org_id/members',
    operation({
      tag,
      summary: 'List the members of an organization and the open invitations',
      request: { params: OfOrganization, querystring: PageQuery },
      answers: {
        200: Type.Object({
          members: Type.Array(ref(Member)),
          total: Type.Integer(),
          invitations: Type.Array(ref(Invitation)),
        }),
      },
    }),
    (request) => listMembers(request.caller, request.params.org_id, request.query, sql),
  )

  app.post(
    '/auth/v1/memberships/:org_id/invite',
    operation({
      tag,
      summary: 'Invite somebody; pass the token of the answer on to them',
      errors: ERRORS,
      request: { params: OfOrganization, body: NewInvitation },
      answers: { 201: ref(Invitation) },
    }),
    async (request, reply) => {
      const options = { sql, lifetimeSeconds: deps.invitationLifetime }
      return reply
        .code(201)
        .send(await inviteMember(request.caller, request.params.org_id, request.body, options))
    },
  )

  app.delete(
    '/auth/v1/memberships/:org_id/members/:user_id',
    operation({
      tag,
      summary: 'Remove a member',
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
      summary: 'Make a member an owner, or an owner a member',
      errors: ERRORS,
      request: { params: OneMember, body: Type.Object({ role: RoleField }) },
      answers: { 200: ref(Member) },
    }),
    (request) => {
      const { org_id: orgId, user_id: userId } = request.params
      return changeRole(request.caller, { orgId, userId, role: request.body.role }, sql)
    },
  )
}

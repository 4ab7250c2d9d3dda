import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { allowInviting } from './invite-member.ts'
import { deleteInvitation, findInvitation } from './store.ts'

/** Takes who could have made the invitation: else a weaker one could be put in its place. */
export async function withdrawInvitation(
  caller: Caller,
  orgId: string,
  invitationId: string,
  sql: Sql,
): Promise<void> {
  allow(caller, 'members:write', { orgId })
  const invitation = await findInvitation(sql, orgId, { id: invitationId })
  if (!invitation) throw notFound('no such invitation')
  const { role, policy_ids: policyIds } = invitation
  await allowInviting(caller, { orgId, role, policyIds }, sql)
  await deleteInvitation(sql, invitationId)
}

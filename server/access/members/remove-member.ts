import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteIfConfinedTo } from '../users/store.ts'
import { deleteMember, findMember, lockOwners } from './store.ts'

export async function removeMember(caller: Caller, orgId: string, userId: string, sql: Sql): Promise<void> {
  const isLeaving = caller.id === userId && caller.grants.some((grant) => grant.orgId === orgId)
  // Everybody may leave.
  if (!isLeaving) allow(caller, 'members:delete', { orgId })
  await sql.begin(async (tx) => {
    const owners = await lockOwners(tx, orgId)
    const member = await findMember(tx, orgId, userId)
    if (!member) throw notFound('no such member')
    if (member.role === 'owner') allowEverything(caller, { orgId })
    if (owners.length === 1 && owners[0] === userId) throw conflict('the last owner cannot leave')
    await deleteMember(tx, orgId, userId)
    await deleteIfConfinedTo(tx, userId, orgId)
  })
}

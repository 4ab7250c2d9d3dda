import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteIfConfinedTo } from '../users/store.ts'
import { deleteMember } from './store.ts'
import { withMember } from './with-member.ts'

export async function removeMember(caller: Caller, orgId: string, userId: string, sql: Sql): Promise<void> {
  const isLeaving = caller.id === userId && caller.grants.some((grant) => grant.orgId === orgId)
  // Everybody may leave.
  if (!isLeaving) allow(caller, 'members:delete', { orgId })
  await withMember(sql, { orgId, userId }, async (tx, member, isLastOwner) => {
    if (member.role === 'owner') allowEverything(caller, { orgId })
    if (isLastOwner) throw conflict('the last owner cannot leave')
    await deleteMember(tx, orgId, userId)
    await deleteIfConfinedTo(tx, userId, orgId)
  })
}

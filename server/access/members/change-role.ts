import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Member, Role } from './schemas.ts'
import { findMember, lockOwners, setRole } from './store.ts'

export async function changeRole(
  caller: Caller,
  { orgId, userId, role }: { orgId: string; userId: string; role: Role },
  sql: Sql,
): Promise<Member> {
  allow(caller, 'members:write', { orgId })
  return sql.begin(async (tx) => {
    const owners = await lockOwners(tx, orgId)
    const member = await findMember(tx, orgId, userId)
    if (!member) throw notFound('no such member')
    if (member.role === role) return member
    // Making an owner and unmaking one both take an owner.
    allowEverything(caller, { orgId })
    if (role === 'member' && owners.length === 1 && owners[0] === userId)
      throw conflict('an organization needs an owner')
    await setRole(tx, orgId, userId, role)
    return { ...member, role }
  })
}

import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Member, Role } from './schemas.ts'
import { setRole } from './store.ts'
import { type OneMember, withMember } from './with-member.ts'

export async function changeRole(
  caller: Caller,
  { orgId, userId, role }: OneMember & { role: Role },
  sql: Sql,
): Promise<Member> {
  allow(caller, 'members:write', { orgId })
  return withMember(sql, { orgId, userId }, async (tx, member, isLastOwner) => {
    if (member.role === role) return member
    // Making an owner and unmaking one both take an owner.
    allowEverything(caller, { orgId })
    if (isLastOwner) throw conflict('an organization needs an owner')
    await setRole(tx, orgId, userId, role)
    return { ...member, role }
  })
}

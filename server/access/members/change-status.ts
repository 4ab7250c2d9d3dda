import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { allowInviting } from './invite-member.ts'
import type { Member, MemberStatus } from './schemas.ts'
import { setStatus } from './store.ts'
import { type OneMember, withMember } from './with-member.ts'

/** Suspends a member, or lets them in again. Grants are read for every request, so it holds everywhere from the next one on. */
export async function changeStatus(
  caller: Caller,
  { orgId, userId, status }: OneMember & { status: MemberStatus },
  sql: Sql,
): Promise<Member> {
  allow(caller, 'members:write', { orgId })
  return withMember(sql, { orgId, userId }, async (tx, member, isLastOwner) => {
    if (member.status === status) return member
    if (member.role === 'owner') allowEverything(caller, { orgId })
    // Letting somebody in again gives them what their policies say.
    if (status === 'active')
      await allowInviting(caller, { orgId, role: member.role, policyIds: member.policy_ids }, tx)
    else if (isLastOwner) throw conflict('an organization needs an owner who is not suspended')
    await setStatus(tx, orgId, userId, status)
    return { ...member, status }
  })
}

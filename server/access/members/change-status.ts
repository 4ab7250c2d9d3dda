import { allow, allowEverything, allowGranting, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findPolicies } from '../policies/store.ts'
import type { Member, MemberStatus } from './schemas.ts'
import { findMember, lockOwners, setStatus } from './store.ts'

/** Suspends a member, or lets them in again. Grants are read for every request, so it holds everywhere from the next one on. */
export async function changeStatus(
  caller: Caller,
  { orgId, userId, status }: { orgId: string; userId: string; status: MemberStatus },
  sql: Sql,
): Promise<Member> {
  allow(caller, 'members:write', { orgId })
  return sql.begin(async (tx) => {
    const owners = await lockOwners(tx, orgId)
    const member = await findMember(tx, orgId, userId)
    if (!member) throw notFound('no such member')
    if (member.status === status) return member
    if (member.role === 'owner') allowEverything(caller, { orgId })
    if (status === 'active') {
      // Letting somebody in again gives them what their policies say.
      const policies = await findPolicies(tx, orgId, member.policy_ids)
      allowGranting(caller, permissionSet(policies.flatMap(({ permissions }) => permissions)), { orgId })
    } else if (owners.length === 1 && owners[0] === userId)
      throw conflict('an organization needs an owner who is not suspended')
    await setStatus(tx, orgId, userId, status)
    return { ...member, status }
  })
}

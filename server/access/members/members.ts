import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { OrganizationId, UserId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import { audit, changed } from '../audit/audit.ts'
import { deleteIfConfinedTo } from '../users/store.ts'
import { allowInviting } from './invitations.ts'
import type { Member, MemberStatus, Role } from './schemas.ts'
import * as store from './store.ts'

/** Beside a page of members the first invitations; the others are in a list of their own. */
const INVITATIONS = { limit: 100, offset: 0 }

export async function listMembers(caller: Caller, orgId: OrganizationId, page: Page, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  const { members, total } = await store.listMembers(sql, orgId, page)
  const { invitations } = await store.listInvitations(sql, orgId, INVITATIONS)
  return { members, total, invitations }
}

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
    await store.setRole(tx, orgId, userId, role)
    await auditMember(tx, caller, 'member.role_changed', { orgId, member, after: { role } })
    return { ...member, role }
  })
}

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
    await store.setStatus(tx, orgId, userId, status)
    await auditMember(tx, caller, 'member.status_changed', { orgId, member, after: { status } })
    return { ...member, status }
  })
}

export async function removeMember(
  caller: Caller,
  orgId: OrganizationId,
  userId: UserId,
  sql: Sql,
): Promise<void> {
  const isLeaving = caller.id === userId && caller.grants.some((grant) => grant.orgId === orgId)
  // Everybody may leave.
  if (!isLeaving) allow(caller, 'members:delete', { orgId })
  await withMember(sql, { orgId, userId }, async (tx, member, isLastOwner) => {
    if (member.role === 'owner') allowEverything(caller, { orgId })
    if (isLastOwner) throw conflict('the last owner cannot leave')
    await store.deleteMember(tx, orgId, userId)
    await deleteIfConfinedTo(tx, userId, orgId)
    await auditMember(tx, caller, 'member.removed', { orgId, member })
  })
}

interface AuditedMember {
  orgId: OrganizationId
  member: Member
  after?: { role: Role } | { status: MemberStatus }
}

function auditMember(
  tx: Transaction,
  caller: Caller,
  action: 'member.role_changed' | 'member.status_changed' | 'member.removed',
  { orgId, member, after }: AuditedMember,
): Promise<void> {
  const { user_id: resource, email: name, role, status } = member
  const what = after ? changed(member, after) : { before: { role, status } }
  return audit(tx, caller, { orgId, action, resource, name, ...what })
}

export interface OneMember {
  orgId: OrganizationId
  userId: UserId
}

/**
 * Works on one member while the owners stay as they are: two owners who remove each other at once would else leave none.
 * `isLastOwner`: of those who are not suspended.
 */
function withMember<T>(
  sql: Sql,
  { orgId, userId }: OneMember,
  work: (tx: Transaction, member: Member, isLastOwner: boolean) => Promise<T>,
): Promise<T> {
  return sql.begin(async (tx) => {
    const owners = await store.lockOwners(tx, orgId)
    const member = await store.findMember(tx, orgId, userId)
    if (!member) throw notFound('no such member')
    return work(tx, member, owners.length === 1 && owners[0] === userId)
  }) as Promise<T>
}

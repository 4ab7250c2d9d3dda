import { notFound } from '../../base/errors.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import type { Member } from './schemas.ts'
import { findMember, lockOwners } from './store.ts'

export interface OneMember {
  orgId: string
  userId: string
}

/**
 * Works on one member while the owners stay as they are: two owners who remove each other at once would else leave none.
 * `isLastOwner`: of those who are not suspended.
 */
export function withMember<T>(
  sql: Sql,
  { orgId, userId }: OneMember,
  work: (tx: Transaction, member: Member, isLastOwner: boolean) => Promise<T>,
): Promise<T> {
  return sql.begin(async (tx) => {
    const owners = await lockOwners(tx, orgId)
    const member = await findMember(tx, orgId, userId)
    if (!member) throw notFound('no such member')
    return work(tx, member, owners.length === 1 && owners[0] === userId)
  }) as Promise<T>
}

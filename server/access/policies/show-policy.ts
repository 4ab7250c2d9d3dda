import { allow, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Policy } from './schemas.ts'
import { findPolicy } from './store.ts'

export async function showPolicy(caller: Caller, orgId: string, policyId: string, sql: Sql): Promise<Policy> {
  allow(caller, 'policies:read', { orgId })
  const policy = await findPolicy(sql, orgId, policyId)
  if (!policy) throw notFound('no such policy')
  return policy
}

import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { OrganizationId, PolicyId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { parsePermissions, permissionSet } from '../../base/permissions.ts'
import type { Part } from '../../http/pagination.ts'
import { isUniqueViolation, type Sql } from '../../platform/postgres/client.ts'
import type { NewPolicy, Policy, PolicyChange } from './schemas.ts'
import * as store from './store.ts'

export async function createPolicy(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewPolicy,
  sql: Sql,
): Promise<Policy> {
  allow(caller, 'policies:write', { orgId })
  allowGranting(caller, parsePermissions(wanted.permissions), { orgId })
  return store
    .insertPolicy(sql, {
      id: newId('policy'),
      org_id: orgId,
      name: wanted.name,
      description: wanted.description ?? '',
      permissions: wanted.permissions,
      created_by: caller.id,
    })
    .catch(refuseTakenName)
}

export async function listPolicies(
  caller: Caller,
  orgId: OrganizationId,
  part: Part,
  sql: Sql,
): Promise<Policy[]> {
  allow(caller, 'policies:read', { orgId })
  return store.listPolicies(sql, orgId, part)
}

export async function showPolicy(
  caller: Caller,
  orgId: OrganizationId,
  policyId: PolicyId,
  sql: Sql,
): Promise<Policy> {
  allow(caller, 'policies:read', { orgId })
  const policy = await store.findPolicy(sql, orgId, policyId)
  if (!policy) throw notFound('no such policy')
  return policy
}

export async function updatePolicy(
  caller: Caller,
  { orgId, policyId }: { orgId: OrganizationId; policyId: PolicyId },
  change: PolicyChange,
  sql: Sql,
): Promise<Policy> {
  allow(caller, 'policies:write', { orgId })
  const wanted = change.permissions && parsePermissions(change.permissions)

  return sql
    .begin(async (tx) => {
      const policy = await store.lockPolicy(tx, orgId, policyId)
      if (!policy) throw notFound('no such policy')
      // Keeping or dropping what is there grants nothing; only what is new has to be the caller's own.
      if (wanted !== undefined) allowGranting(caller, wanted & ~permissionSet(policy.permissions), { orgId })
      return store.updatePolicy(tx, policyId, {
        name: change.name ?? policy.name,
        description: change.description ?? policy.description,
        permissions: change.permissions ?? policy.permissions,
      })
    })
    .catch(refuseTakenName)
}

export async function deletePolicy(
  caller: Caller,
  orgId: OrganizationId,
  policyId: PolicyId,
  sql: Sql,
): Promise<void> {
  allow(caller, 'policies:delete', { orgId })
  await sql.begin(async (tx) => {
    const policy = await store.lockPolicy(tx, orgId, policyId)
    if (!policy) throw notFound('no such policy')
    const attachments = await store.listAttachments(tx, policyId, {})
    // A key without policies may do everything in its project: it must not become one in passing.
    if (attachments.some((attachment) => attachment.identity_type === 'POLICY_IDENTITY_TYPE_API_KEY'))
      throw conflict('the policy restricts API keys: detach it from them, or revoke them, first')
    await store.deletePolicy(tx, policyId)
  })
}

/** For `catch`: two policies of one organization cannot share a name. */
function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error)) throw conflict('there is a policy of this name already')
  throw error
}

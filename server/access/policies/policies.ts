import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { OrganizationId, PolicyId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { parsePermissions, permissionSet } from '../../base/permissions.ts'
import type { Part } from '../../http/pagination.ts'
import { isUniqueViolation, type Sql } from '../../platform/postgres/client.ts'
import { audit, changed } from '../audit/audit.ts'
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
  const { name, permissions } = wanted
  return sql
    .begin(async (tx) => {
      const policy = await store.insertPolicy(tx, {
        id: newId('policy'),
        org_id: orgId,
        name,
        description: wanted.description ?? '',
        permissions,
        created_by: caller.id,
      })
      const about = { orgId, resource: policy.id, name, after: { name, permissions } }
      await audit(tx, caller, { ...about, action: 'policy.created' })
      return policy
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
      const about = { orgId, resource: policyId, name: policy.name, ...changed(policy, change) }
      await audit(tx, caller, { ...about, action: 'policy.changed' })
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
    const { name, permissions } = policy
    const about = { orgId, resource: policyId, name, before: { name, permissions } }
    await audit(tx, caller, { ...about, action: 'policy.deleted' })
  })
}

/** For `catch`: two policies of one organization cannot share a name. */
function refuseTakenName(error: unknown): never {
  if (isUniqueViolation(error)) throw conflict('there is a policy of this name already')
  throw error
}

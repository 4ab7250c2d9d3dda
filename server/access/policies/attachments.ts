import { allow, allowEverything, allowGranting, type Caller } from '../../base/caller.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import type { AttachmentId, KeyId, OrganizationId, PolicyId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Part } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import { type Actor, audit } from '../audit/audit.ts'
import { findKey } from '../keys/store.ts'
import { findMember } from '../members/store.ts'
import { showPolicy } from './policies.ts'
import type { Attachment, NewAttachment, Policy } from './schemas.ts'
import * as store from './store.ts'

export async function attachPolicy(
  caller: Caller,
  { orgId, policyId }: { orgId: OrganizationId; policyId: PolicyId },
  to: NewAttachment,
  sql: Sql,
): Promise<Attachment> {
  allow(caller, 'policies:write', { orgId })
  return sql.begin(async (tx) => {
    const policy = await store.lockPolicy(tx, orgId, policyId)
    if (!policy) throw notFound('no such policy')
    allowGranting(caller, permissionSet(policy.permissions), { orgId })
    await refuseUnfit(tx, orgId, to)
    await auditAttached(tx, caller, { policy, to })
    return store.attachPolicy(tx, { id: newId('attachment'), policyId, orgId, to })
  })
}

/** For all ways in which somebody gets a policy. */
export async function auditAttached(
  tx: Transaction,
  actor: Actor,
  { policy, to }: { policy: Pick<Policy, 'id' | 'org_id' | 'name'>; to: NewAttachment },
): Promise<void> {
  const about = { orgId: policy.org_id, resource: policy.id, name: policy.name, after: { ...to } }
  await audit(tx, actor, { ...about, action: 'policy.attached' })
}

async function refuseUnfit(sql: Queryable, orgId: OrganizationId, to: NewAttachment): Promise<void> {
  if (to.identity_type === 'POLICY_IDENTITY_TYPE_USER') {
    if (!(await findMember(sql, orgId, to.identity_id))) throw notFound('no such member')
    return
  }
  await store.lockKey(sql, to.identity_id)
  const key = await findKey(sql, orgId, to.identity_id)
  if (!key) throw notFound('no such key')
  if (key.kind === 'pk') throw badRequest('a publishable key cannot have policies: what it may do is fixed')
}

export async function detachPolicy(
  caller: Caller,
  orgId: OrganizationId,
  attachmentId: AttachmentId,
  sql: Sql,
): Promise<void> {
  allow(caller, 'policies:write', { orgId })
  await sql.begin(async (tx) => {
    const attachment = await store.findAttachment(tx, orgId, attachmentId)
    if (!attachment) throw notFound('no such attachment')
    if (attachment.identity_type === 'POLICY_IDENTITY_TYPE_API_KEY') {
      const keyId = attachment.identity_id as KeyId
      await store.lockKey(tx, keyId)
      // Taking a key's last policy away lets it do everything in its project.
      if ((await store.countPoliciesOfKey(tx, keyId)) === 1) {
        const key = await findKey(tx, orgId, keyId)
        allowEverything(caller, { orgId, projectId: key?.project_id })
      }
    }
    await store.deleteAttachment(tx, attachmentId)
    const { policy_id: resource, identity_type, identity_id } = attachment
    const about = { orgId, resource, before: { identity_type, identity_id } }
    await audit(tx, caller, { ...about, action: 'policy.detached' })
  })
}

export async function listAttachments(
  caller: Caller,
  { orgId, policyId, part }: { orgId: OrganizationId; policyId: PolicyId; part: Part },
  sql: Sql,
): Promise<Attachment[]> {
  const policy = await showPolicy(caller, orgId, policyId, sql)
  return store.listAttachments(sql, policy.id, part)
}

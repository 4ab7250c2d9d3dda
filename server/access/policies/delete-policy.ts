import { allow, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

export async function deletePolicy(caller: Caller, orgId: string, policyId: string, sql: Sql): Promise<void> {
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

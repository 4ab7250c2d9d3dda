import { allow, allowEverything, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findKey } from '../keys/store.ts'
import * as store from './store.ts'

export async function detachPolicy(
  caller: Caller,
  orgId: string,
  attachmentId: string,
  sql: Sql,
): Promise<void> {
  allow(caller, 'policies:write', { orgId })
  await sql.begin(async (tx) => {
    const attachment = await store.findAttachment(tx, orgId, attachmentId)
    if (!attachment) throw notFound('no such attachment')
    if (attachment.identity_type === 'POLICY_IDENTITY_TYPE_API_KEY') {
      const keyId = attachment.identity_id
      await store.lockKey(tx, keyId)
      // Taking a key's last policy away lets it do everything in its project.
      if ((await store.countPoliciesOfKey(tx, keyId)) === 1) {
        const key = await findKey(tx, orgId, keyId)
        allowEverything(caller, { orgId, projectId: key?.project_id })
      }
    }
    await store.deleteAttachment(tx, attachmentId)
  })
}

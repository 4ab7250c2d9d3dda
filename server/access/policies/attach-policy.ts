import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import { findKey } from '../keys/store.ts'
import { findMember } from '../members/store.ts'
import type { Attachment, NewAttachment } from './schemas.ts'
import * as store from './store.ts'

export async function attachPolicy(
  caller: Caller,
  { orgId, policyId }: { orgId: string; policyId: string },
  to: NewAttachment,
  sql: Sql,
): Promise<Attachment> {
  allow(caller, 'policies:write', { orgId })
  return sql.begin(async (tx) => {
    const policy = await store.lockPolicy(tx, orgId, policyId)
    if (!policy) throw notFound('no such policy')
    allowGranting(caller, permissionSet(policy.permissions), { orgId })
    await refuseUnfit(tx, orgId, to)
    return store.attachPolicy(tx, { id: newId('attachment'), policyId, orgId, to })
  })
}

async function refuseUnfit(sql: Queryable, orgId: string, to: NewAttachment): Promise<void> {
  if (to.identity_type === 'POLICY_IDENTITY_TYPE_USER') {
    if (!(await findMember(sql, orgId, to.identity_id))) throw notFound('no such member')
    return
  }
  await store.lockKey(sql, to.identity_id)
  const key = await findKey(sql, orgId, to.identity_id)
  if (!key) throw notFound('no such key')
  if (key.kind === 'pk') throw badRequest('a publishable key cannot have policies: what it may do is fixed')
}

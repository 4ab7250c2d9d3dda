import { allow, allowWithin, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { deleteKey, findKey } from './store.ts'

export async function revokeKey(caller: Caller, orgId: string, keyId: string, sql: Sql): Promise<void> {
  allowWithin(caller, 'keys:delete', orgId)
  const key = await findKey(sql, orgId, keyId)
  if (!key) throw notFound('no such key')
  allow(caller, 'keys:delete', { orgId, projectId: key.project_id })
  await deleteKey(sql, keyId)
}

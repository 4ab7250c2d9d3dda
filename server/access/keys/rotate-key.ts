import { allow, allowGranting, allowWithin, type Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { permissionsOfKey } from './permissions.ts'
import type { ApiKey } from './schemas.ts'
import { composeKey, parseKey } from './secret.ts'
import { findKey, policiesOfKey, replaceSecret } from './store.ts'

export async function rotateKey(
  caller: Caller,
  { orgId, keyId, graceSeconds }: { orgId: string; keyId: string; graceSeconds: number },
  sql: Sql,
): Promise<ApiKey> {
  allowWithin(caller, 'keys:write', orgId)
  const key = await findKey(sql, orgId, keyId)
  if (!key) throw notFound('no such key')
  const scope = { orgId, projectId: key.project_id }
  allow(caller, 'keys:write', scope)
  // Whoever rotates a key holds it afterwards.
  allowGranting(caller, permissionsOfKey(key.kind, await policiesOfKey(sql, keyId)), scope)

  const secret = composeKey(key.kind, keyId)
  if (!(await replaceSecret(sql, keyId, parseKey(secret)!.hash, graceSeconds))) throw notFound('no such key')
  return { ...key, secret }
}

import { allow, allowGranting, type Caller } from '../../base/caller.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { projectExists } from '../projects/store.ts'
import { permissionsOfKind } from './permissions.ts'
import type { ApiKey, NewKey } from './schemas.ts'
import { composeKey, newKeyId, parseKey } from './secret.ts'
import { findKey, insertKey } from './store.ts'

export async function createKey(caller: Caller, orgId: string, wanted: NewKey, sql: Sql): Promise<ApiKey> {
  const scope = { orgId, projectId: wanted.project_id }
  allow(caller, 'keys:write', scope)
  const kind = wanted.kind ?? 'sk'
  allowGranting(caller, permissionsOfKind(kind), scope)
  const expiringAt = wanted.expiring_at && futureTime(wanted.expiring_at)
  if (!(await projectExists(sql, scope.orgId, scope.projectId))) throw notFound('no such project')

  const id = newKeyId()
  const secret = composeKey(kind, id)
  await insertKey(sql, {
    id,
    projectId: wanted.project_id,
    kind,
    name: wanted.name,
    createdBy: caller.id,
    expiringAt,
    hash: parseKey(secret)!.hash,
  })
  const made = await findKey(sql, orgId, id)
  if (!made) throw notFound('no such project')
  return { ...made, secret }
}

function futureTime(given: string): string {
  const time = new Date(given)
  const isTime = !Number.isNaN(time.getTime()) && time.getUTCFullYear() <= 9999
  if (!isTime || time.getTime() <= Date.now()) throw badRequest('body.expiring_at: must be in the future')
  return time.toISOString()
}

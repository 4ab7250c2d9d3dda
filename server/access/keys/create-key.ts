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
  if (wanted.expiring_at && Date.parse(wanted.expiring_at) <= Date.now())
    throw badRequest('body.expiring_at: must be in the future')
  if (!(await projectExists(sql, scope.orgId, scope.projectId))) throw notFound('no such project')

  const id = newKeyId()
  const secret = composeKey(kind, id)
  await insertKey(sql, {
    id,
    projectId: wanted.project_id,
    kind,
    name: wanted.name,
    createdBy: caller.id,
    expiringAt: wanted.expiring_at,
    hash: parseKey(secret)!.hash,
  })
  return { ...(await findKey(sql, orgId, id))!, secret }
}

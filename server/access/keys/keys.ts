import { allow, allowGranting, allowWithin, type Caller } from '../../base/caller.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import type { KeyId, OrganizationId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import { millisecondsOf } from '../../base/rfc3339.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { audit } from '../audit/audit.ts'
import { projectExists } from '../projects/store.ts'
import { composeKey, newKeyId, parseKey, permissionsOfKey, permissionsOfKind } from './kinds.ts'
import type { ApiKey, NewKey } from './schemas.ts'
import * as store from './store.ts'

export async function createKey(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewKey,
  sql: Sql,
): Promise<ApiKey> {
  const scope = { orgId, projectId: wanted.project_id }
  allow(caller, 'keys:write', scope)
  const kind = wanted.kind ?? 'sk'
  allowGranting(caller, permissionsOfKind(kind), scope)
  const expiringAt = wanted.expiring_at && futureTime(wanted.expiring_at)
  if (!(await projectExists(sql, scope.orgId, scope.projectId))) throw notFound('no such project')

  const id = newKeyId()
  const secret = composeKey(kind, id)
  const { name } = wanted
  await sql.begin(async (tx) => {
    await store.insertKey(tx, {
      id,
      projectId: wanted.project_id,
      kind,
      name,
      createdBy: caller.id,
      expiringAt,
      hash: parseKey(secret)!.hash,
    })
    await audit(tx, caller, { ...scope, action: 'key.created', resource: id, name, after: { kind, name } })
  })
  const made = await store.findKey(sql, orgId, id)
  if (!made) throw notFound('no such project')
  return { ...made, secret }
}

/** An offset takes the last hours of the year 9999 into one that cannot be written. */
const END_OF_TIME = Date.UTC(10_000, 0)

function futureTime(given: string): string {
  const time = millisecondsOf(given)
  if (!(time > Date.now() && time < END_OF_TIME)) throw badRequest('body.expiring_at: must be in the future')
  return new Date(time).toISOString()
}

export async function findKeyById(
  caller: Caller,
  keyId: KeyId,
  sql: Sql,
): Promise<{ org_id: OrganizationId } | undefined> {
  allowOperator(caller)
  return store.organizationOfKey(sql, keyId)
}

export async function listKeys(caller: Caller, orgId: OrganizationId, page: Page, sql: Sql) {
  const onlyProject = allowWithin(caller, 'keys:read', orgId)
  return store.listKeys(sql, orgId, onlyProject, page)
}

export async function rotateKey(
  caller: Caller,
  { orgId, keyId, graceSeconds }: { orgId: OrganizationId; keyId: KeyId; graceSeconds: number },
  sql: Sql,
): Promise<ApiKey> {
  allowWithin(caller, 'keys:write', orgId)
  const key = await store.findKey(sql, orgId, keyId)
  if (!key) throw notFound('no such key')
  const scope = { orgId, projectId: key.project_id }
  allow(caller, 'keys:write', scope)
  // Whoever rotates a key holds it afterwards.
  allowGranting(caller, permissionsOfKey(key.kind, await store.policiesOfKey(sql, keyId)), scope)

  const secret = composeKey(key.kind, keyId)
  await sql.begin(async (tx) => {
    if (!(await store.replaceSecret(tx, keyId, parseKey(secret)!.hash, graceSeconds)))
      throw notFound('no such key')
    await store.tellRotated(tx, key)
    const after = { grace_seconds: graceSeconds }
    await audit(tx, caller, { ...scope, action: 'key.rotated', resource: keyId, name: key.name, after })
  })
  return { ...key, secret }
}

export async function revokeKey(
  caller: Caller,
  orgId: OrganizationId,
  keyId: KeyId,
  sql: Sql,
): Promise<void> {
  allowWithin(caller, 'keys:delete', orgId)
  const key = await store.findKey(sql, orgId, keyId)
  if (!key) throw notFound('no such key')
  const scope = { orgId, projectId: key.project_id }
  allow(caller, 'keys:delete', scope)
  await sql.begin(async (tx) => {
    if (!(await store.deleteKey(tx, keyId))) throw notFound('no such key')
    const { kind, name } = key
    await audit(tx, caller, {
      ...scope,
      action: 'key.revoked',
      resource: keyId,
      name,
      before: { kind, name },
    })
  })
}

import { generateKeyPairSync } from 'node:crypto'
import { allow, allowGranting, allowWithin, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { newId, type OrganizationId, type SigningKeyId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Page } from '../../http/pagination.ts'
import { holdName, type Sql } from '../../platform/postgres/client.ts'
import { audit } from '../audit/audit.ts'
import { projectExists } from '../projects/store.ts'
import type { NewSigningKey, SigningKey } from './schemas.ts'
import * as store from './store.ts'

/** More than anybody rotates through; each can open all private media. */
const MOST_OF_PROJECT = 20

/** Whoever has a signing key can show anybody all media of the project. */
const OPENED = permissionSet(['videos:read', 'images:read'])

/** Makes a pair of keys. The private half is in the answer and nowhere else. */
export async function createSigningKey(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewSigningKey,
  sql: Sql,
): Promise<SigningKey> {
  const scope = { orgId, projectId: wanted.project_id }
  allow(caller, 'projects:write', scope)
  allowGranting(caller, OPENED, scope)
  if (!(await projectExists(sql, orgId, scope.projectId))) throw notFound('no such project')
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const id = newId('signingKey')
  const { name } = wanted
  const made = await sql.begin(async (tx) => {
    await holdName(tx, `signing keys of ${scope.projectId}`)
    if ((await store.countKeys(tx, scope.projectId)) >= MOST_OF_PROJECT)
      throw conflict(`a project has at most ${MOST_OF_PROJECT} signing keys`)
    await audit(tx, caller, { ...scope, action: 'signing_key.created', resource: id, name, after: { name } })
    const { publicKey } = pair
    return store.insertKey(tx, { id, projectId: scope.projectId, name, publicKey, createdBy: caller.id })
  })
  return { ...made, private_key: pair.privateKey }
}

export async function listSigningKeys(caller: Caller, orgId: OrganizationId, page: Page, sql: Sql) {
  const onlyProject = allowWithin(caller, 'projects:read', orgId)
  return store.listKeys(sql, orgId, onlyProject, page)
}

/** What it has signed opens nothing any more, in any process: those that a project has are read with every file. */
export async function deleteSigningKey(
  caller: Caller,
  { orgId, id }: { orgId: OrganizationId; id: SigningKeyId },
  sql: Sql,
): Promise<void> {
  allowWithin(caller, 'projects:write', orgId)
  const key = await store.findKey(sql, orgId, id)
  if (!key) throw notFound('no such signing key')
  const scope = { orgId, projectId: key.project_id }
  allow(caller, 'projects:write', scope)
  await sql.begin(async (tx) => {
    if (!(await store.deleteKey(tx, id))) throw notFound('no such signing key')
    const { name } = key
    const about = { ...scope, action: 'signing_key.deleted', resource: id, name } as const
    await audit(tx, caller, { ...about, before: { name } })
  })
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { audit, type ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { FileId, ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { SigningSecret } from './schemas.ts'
import * as store from './store.ts'

/** What a project signs sizes by; whoever may change images may see it. */
export async function showSigningSecret(
  caller: Caller,
  scope: ProjectScope,
  sql: Sql,
): Promise<SigningSecret> {
  allow(caller, 'images:write', scope)
  const known = await store.findSigningSecret(sql, scope.projectId)
  return known ?? store.keepSigningSecret(sql, scope.projectId, { secret: newSecret(), replace: false })
}

/** From now on nothing counts that was signed by the one before. */
export async function rotateSigningSecret(
  caller: Caller,
  scope: ProjectScope,
  sql: Sql,
): Promise<SigningSecret> {
  allow(caller, 'images:write', scope)
  return sql.begin(async (tx) => {
    await audit(tx, caller, { ...scope, action: 'project.image_secret_rotated', resource: scope.projectId })
    return store.keepSigningSecret(tx, scope.projectId, { secret: newSecret(), replace: true })
  })
}

const newSecret = () => randomBytes(32).toString('base64url')

/** Parameters that are not under the signature: itself, and what says who is looking. */
const UNSIGNED = ['signature', 'token']

/**
 * What is signed of an address: the project and the file, and the query in the order of its names. Where it is served,
 * on which host and under which path, may change.
 */
function signedPart(file: { projectId: ProjectId; fileId: FileId }, query: string): string {
  const parameters = new URLSearchParams(query)
  for (const name of UNSIGNED) parameters.delete(name)
  parameters.sort()
  return `/${file.projectId}/${file.fileId}?${parameters}`
}

const signatureOf = (text: string, secret: string) =>
  createHmac('sha256', secret).update(text).digest('base64url')

/** Whether the query was signed for this file by one of these secrets. */
export function isSigned(
  file: { projectId: ProjectId; fileId: FileId },
  query: string,
  secrets: readonly string[],
): boolean {
  const shown = Buffer.from(new URLSearchParams(query).get('signature') ?? '')
  const text = signedPart(file, query)
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureOf(text, secret))
    return shown.length === expected.length && timingSafeEqual(shown, expected)
  })
}

/** An address of a size, signed by the service itself. */
export function signSize(url: string, secret: string): string {
  const [address = '', query = ''] = url.split('?')
  const [projectId, fileId] = address.split('/').slice(-2) as [ProjectId, FileId]
  return `${url}&signature=${signatureOf(signedPart({ projectId, fileId }, query), secret)}`
}

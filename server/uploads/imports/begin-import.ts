import { badRequest, forbidden, tooManyRequests } from '../../base/errors.ts'
import type { FileId, ProjectId } from '../../base/ids.ts'
import { AddressNotAllowed } from '../../platform/outbound/errors.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { holdName, type Transaction } from '../../platform/postgres/client.ts'
import { countImports, insertImport } from './store.ts'

/** For as long as this an import may take; one that has failed is told of for as long. */
export const IMPORT_SECONDS = 24 * 3600
const MOST_AT_ONCE = 100
const LONGEST_NAME = 255

export interface ImportDeps {
  outbound: Outbound
  /** Whether anything is imported at all. */
  importsOn: boolean
}

/** Refuses what can be told to be useless before anything is fetched. */
export function checkImport(url: string, deps: ImportDeps): void {
  if (!deps.importsOn) throw forbidden('imports are switched off here; upload the file')
  // Addresses may have the form of one and be none, such as by a port that there is not.
  if (!URL.canParse(url)) throw badRequest('body.url: must be an http or https address')
  const { username, password } = new URL(url)
  if (username || password) throw badRequest('body.url: must have no name and no password')
  try {
    deps.outbound.check(url)
  } catch (error) {
    if (error instanceof AddressNotAllowed) throw badRequest(`body.url: ${error.message}`)
    throw error
  }
}

/** Refuses one more than may be under way; the first in the transaction that begins it, so that others are counted. */
export async function requireFewImports(tx: Transaction, projectId: ProjectId): Promise<void> {
  await holdName(tx, `imports of ${projectId}`)
  if ((await countImports(tx, projectId)) >= MOST_AT_ONCE)
    throw tooManyRequests(`${MOST_AT_ONCE} imports of this project are under way; wait for some of them`, 60)
}

/** Writes down where a file that is awaited comes from. */
export function addImport(
  tx: Transaction,
  wanted: { fileId: FileId; projectId: ProjectId; url: string },
): Promise<void> {
  return insertImport(tx, wanted)
}

/** What the last part of an address calls a file. */
export function nameIn(url: string): string {
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').findLast(Boolean)
  try {
    return decodeURIComponent(last ?? hostname).slice(0, LONGEST_NAME)
  } catch {
    return last!.slice(0, LONGEST_NAME)
  }
}

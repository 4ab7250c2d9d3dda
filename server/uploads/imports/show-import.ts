import type { FileId } from '../../base/ids.ts'
import type { Queryable } from '../../platform/postgres/client.ts'
import { findResumable } from '../tus/store.ts'
import { findImport } from './store.ts'

export interface ImportState {
  received: number
  size: number | undefined
  failure: string | undefined
}

/** How far an import has come; undefined where there is none, or no longer. */
export async function importOf(sql: Queryable, fileId: FileId): Promise<ImportState | undefined> {
  const found = await findImport(sql, fileId)
  if (!found) return undefined
  const arrived = await findResumable(sql, fileId)
  return {
    received: arrived?.received ?? 0,
    size: found.size ?? undefined,
    failure: found.failure ?? undefined,
  }
}

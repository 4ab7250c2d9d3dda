import { notFound } from '../../base/errors.ts'
import type { FileId } from '../../base/ids.ts'
import { ObjectNotFound } from '../../platform/objects/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { incomingKey, piecesPrefix } from '../keys.ts'
import { deleteResumable, findResumable, type ResumableUpload } from './store.ts'

/** Bytes of a file that has come whole by tus; undefined where nothing has come that way, or not all of it. */
export function wholeSize(found: ResumableUpload | undefined): number | undefined {
  if (!found || found.terminated) return undefined
  const { received, length, announced } = found
  const isWhole = length === null ? received > 0 && received >= announced : received === length
  return isWhole ? received : undefined
}

/**
 * Makes the object of a file that has come by tus, where one has. Throws where a part of it is still to come. Can be cut
 * off anywhere and done again.
 */
export async function takeResumable(
  fileId: FileId,
  key: string,
  { sql, objects }: { sql: Sql; objects: ObjectStore },
): Promise<void> {
  const found = await findResumable(sql, fileId)
  if (!found || (found.received === 0 && found.length !== 0)) return
  const size = wholeSize(found)
  if (size === undefined)
    throw notFound(`only ${found.received} of ${found.length ?? found.announced} bytes have arrived yet`)
  try {
    await objects.compose({ size, pieces: found.pieces }, key)
  } catch (error) {
    // Taken before a crash: then it is where it was put.
    if (!(error instanceof ObjectNotFound) || (await objects.head(key))?.size !== size) throw error
  }
  // An older file, which came by one PUT: this one replaces it.
  await objects.delete(incomingKey(fileId))
  await deleteResumable(sql, fileId)
  await objects.deletePrefix(piecesPrefix(fileId))
}

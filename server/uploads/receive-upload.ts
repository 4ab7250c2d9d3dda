import type { Readable } from 'node:stream'
import { badRequest, conflict, Refusal } from '../base/errors.ts'
import type { FileId } from '../base/ids.ts'
import { ObjectSizeMismatch, ObjectTooLarge } from '../platform/objects/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type AddressQuery, readAddress } from './address.ts'
import { incomingKey, piecesPrefix } from './keys.ts'
import { tooLarge } from './limits.ts'
import { statusOfFile } from './store.ts'
import { deleteResumable, findResumable } from './tus/store.ts'
import { wholeSize } from './tus/take-resumable.ts'

export interface ReceiveUploadDeps {
  sql: Sql
  objects: ObjectStore
  uploadSecret: string
}

export interface Received {
  size: number
  etag: string
}

/** Takes a client's bytes at a signed address: all of them, or nothing. */
export async function receiveUpload(
  {
    fileId,
    query,
    body,
    length,
  }: { fileId: FileId; query: AddressQuery; body: Readable; length: number | undefined },
  { sql, objects, uploadSecret }: ReceiveUploadDeps,
): Promise<Received> {
  const { maxBytes } = readAddress(fileId, query, { secret: uploadSecret, now: Date.now() })
  await refuseUnlessAwaited(sql, fileId)
  if (length !== undefined && length > maxBytes) throw tooLarge(maxBytes)
  const { size, etag } = await objects
    .put(incomingKey(fileId), body, { maxBytes, size: length, freeBuffers: true })
    .catch((error) => {
      throw asRefusal(error, maxBytes)
    })
  // It replaces what had arrived by tus.
  if (await deleteResumable(sql, fileId)) await objects.deletePrefix(piecesPrefix(fileId))
  // Completed while these bytes were on their way: they are nobody's, and go.
  const status = await statusOfFile(sql, fileId)
  if (status === undefined || status === 'ready') await objects.delete(incomingKey(fileId))
  if (status !== 'uploading') throw conflict('the upload is complete')
  return { size, etag }
}

/** What has arrived at a signed address; undefined where nothing has. */
export async function inspectUpload(
  fileId: FileId,
  query: AddressQuery,
  { sql, objects, uploadSecret }: ReceiveUploadDeps,
): Promise<(Received & { expires: number }) | undefined> {
  const { expires } = readAddress(fileId, query, { secret: uploadSecret, now: Date.now() })
  await refuseUnlessAwaited(sql, fileId)
  const size = wholeSize(await findResumable(sql, fileId))
  if (size !== undefined) return { size, etag: `"tus-${size}"`, expires }
  const arrived = await objects.head(incomingKey(fileId))
  return arrived && { ...arrived, expires }
}

export async function refuseUnlessAwaited(
  sql: Sql,
  fileId: FileId,
  whenGone: 403 | 410 = 403,
): Promise<void> {
  const status = await statusOfFile(sql, fileId)
  if (status === undefined)
    throw new Refusal(whenGone, { details: 'the upload is no longer awaited; ask for a new address' })
  if (status !== 'uploading') throw conflict('the upload is complete')
}

function asRefusal(error: unknown, maxBytes: number): unknown {
  if (error instanceof ObjectTooLarge) return tooLarge(maxBytes)
  if (error instanceof ObjectSizeMismatch) return badRequest('the body ended before its Content-Length')
  return error
}

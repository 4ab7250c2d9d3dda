import type { Readable } from 'node:stream'
import { badRequest, conflict, Refusal } from '../../base/errors.ts'
import type { FileId } from '../../base/ids.ts'
import { AppendTakenOver, ChecksumMismatch, ObjectTooLarge } from '../../platform/objects/errors.ts'
import { type AddressQuery, readAddress, type UploadGrant } from '../address.ts'
import { incomingKey, piecesPrefix } from '../keys.ts'
import { tooLarge } from '../limits.ts'
import { type ReceiveUploadDeps, refuseUnlessAwaited } from '../receive-upload.ts'
import { appendAsWriter } from './append-as-writer.ts'
import type { Checksum } from './headers.ts'
import { findResumable, type ResumableUpload, resetResumable, terminateResumable } from './store.ts'

export interface UploadState {
  offset: number
  /** Of the whole file; where nobody has said it, the most that the address takes. */
  length: number
  /** Unix time in seconds. */
  expires: number
}

interface TusAddress {
  fileId: FileId
  query: AddressQuery
}

const NOTHING: ResumableUpload = {
  length: null,
  announced: 0,
  received: 0,
  pieces: [],
  busy: false,
  terminated: false,
}

const gone = (details: string) => new Refusal(410, { details })
const locked = () => new Refusal(423, { details: 'somebody else is sending this file' })

/** Begins a file of this length at its address, in place of what had arrived of another. */
export async function createUpload(
  address: TusAddress,
  length: number,
  deps: ReceiveUploadDeps,
): Promise<UploadState> {
  const grant = await grantAt(address, deps)
  if (length > grant.maxBytes) throw tooLarge(grant.maxBytes)
  const { fileId } = address
  const { pieces } = (await findResumable(deps.sql, fileId)) ?? NOTHING
  if (!(await resetResumable(deps.sql, fileId, length))) throw locked()
  // What cannot be deleted now is swept with the file's other pieces.
  for (const { key } of pieces) await deps.objects.delete(key)
  return { offset: 0, length, expires: grant.expires }
}

/** What has arrived, and would be there after a crash. */
export async function inspectResumable(address: TusAddress, deps: ReceiveUploadDeps): Promise<UploadState> {
  const grant = await grantAt(address, deps)
  const { received, length, terminated } = (await findResumable(deps.sql, address.fileId)) ?? NOTHING
  if (terminated) throw gone('the upload was terminated')
  return { offset: received, length: length ?? grant.maxBytes, expires: grant.expires }
}

export interface TusChunk {
  offset: number
  body: Readable
  /** Bytes of the body, where they are known beforehand. */
  size: number | undefined
  /** Of the whole file, where the client says it only now. */
  length: number | undefined
  checksum: Checksum | undefined
}

/** Appends a client's bytes where it says that they belong. One that is cut off leaves what arrived. */
export async function appendToUpload(
  address: TusAddress,
  chunk: TusChunk,
  deps: ReceiveUploadDeps,
): Promise<UploadState> {
  const { fileId } = address
  const { maxBytes, expires } = await grantAt(address, deps)
  const found = (await findResumable(deps.sql, fileId)) ?? NOTHING
  const { offset, body: source, checksum } = chunk
  const length = lengthOf(found, chunk, maxBytes)
  const most = length ?? maxBytes
  const announced = offset + (chunk.size ?? 0)
  if (announced > most) throw tooLarge(most)
  if (found.terminated) throw gone('the upload was terminated')
  if (found.received !== offset) throw elsewhere(found)
  const part = { source, offset, length, announced, most, checksum }
  const appended = await appendAsWriter(fileId, part, deps).catch((error) => {
    throw asRefusal(error, most)
  })
  if (!appended) throw await refusedClaim(fileId, chunk, deps)
  const { body, brokenOff } = appended
  if (brokenOff !== undefined) throw asRefusal(cutOff(brokenOff), most)
  return { offset: body.size, length: most, expires }
}

/** Gives up what had arrived. The file is still awaited: it may be begun anew, or come by one PUT. */
export async function terminateUpload(address: TusAddress, deps: ReceiveUploadDeps): Promise<void> {
  await grantAt(address, deps)
  const { fileId } = address
  await terminateResumable(deps.sql, fileId)
  await deps.objects.delete(incomingKey(fileId))
  await deps.objects.deletePrefix(piecesPrefix(fileId))
}

/** What has expired, or was cancelled, is gone, as tus has it. */
async function grantAt(
  { fileId, query }: TusAddress,
  { sql, uploadSecret }: ReceiveUploadDeps,
): Promise<UploadGrant> {
  const grant = readAddress(fileId, query, { secret: uploadSecret, now: Date.now(), whenExpired: 410 })
  await refuseUnlessAwaited(sql, fileId, 410)
  return grant
}

/** The length of a file never changes once it was said. */
function lengthOf(found: ResumableUpload, { length }: TusChunk, maxBytes: number): number | undefined {
  if (length === undefined) return found.length ?? undefined
  if (length > maxBytes) throw tooLarge(maxBytes)
  if (found.length !== null && found.length !== length)
    throw badRequest(`upload-length: ${found.length} was said before`)
  return length
}

function elsewhere({ received }: ResumableUpload): Refusal {
  const headers = { 'upload-offset': String(received) }
  return new Refusal(409, { details: `${received} bytes have arrived; go on there`, headers })
}

async function refusedClaim(fileId: FileId, chunk: TusChunk, { sql }: ReceiveUploadDeps): Promise<Refusal> {
  const found = (await findResumable(sql, fileId)) ?? NOTHING
  return found.received === chunk.offset ? locked() : elsewhere(found)
}

/** The client went away, which hardly hears this, or sent more than it may. */
function cutOff(reason: unknown): unknown {
  const isKnown = reason instanceof ObjectTooLarge || reason instanceof AppendTakenOver
  return isKnown ? reason : badRequest('the body was cut off; what arrived of it is kept')
}

function asRefusal(error: unknown, maxBytes: number): unknown {
  if (error instanceof ObjectTooLarge) return tooLarge(maxBytes)
  if (error instanceof AppendTakenOver) return conflict('somebody else goes on with this file')
  if (error instanceof ChecksumMismatch)
    return new Refusal(460, { details: 'the bytes differ from their checksum; send them again' })
  return error
}

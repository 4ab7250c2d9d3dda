import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { notFound, unavailable } from '../base/errors.ts'
import type { FileId, ProjectId } from '../base/ids.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { FileKind } from './address.ts'
import { incomingKey, originalKey } from './keys.ts'
import { MAX_BYTES, tooLarge } from './limits.ts'
import { claimFile, releaseClaim, renewClaim, statusOfFile } from './store.ts'
import { takeResumable } from './tus/take-resumable.ts'

const CLAIM_SECONDS = 10
const PATIENCE_MS = 120_000

/**
 * Has a file completed by one worker among all processes. `work` makes it ready, or throws and leaves
 * it as it was. Resolves when the file is ready, whoever did it.
 */
export async function completeOnce(fileId: FileId, sql: Sql, work: () => Promise<void>): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(100)) {
    if (await claimFile(sql, fileId, CLAIM_SECONDS)) return runClaimed(fileId, sql, work)
    const status = await statusOfFile(sql, fileId)
    if (status === 'ready') return
    if (status === undefined) throw notFound()
  }
  throw unavailable('the upload is being completed; ask again')
}

async function runClaimed(fileId: FileId, sql: Sql, work: () => Promise<void>): Promise<void> {
  const renewal = setInterval(
    () => renewClaim(sql, fileId, CLAIM_SECONDS).catch(() => {}),
    (CLAIM_SECONDS * 1000) / 3,
  )
  try {
    await work()
  } catch (error) {
    await releaseClaim(sql, fileId)
    throw error
  } finally {
    clearInterval(renewal)
  }
}

/** Bytes of a file that came by one PUT and was not completed yet. */
export async function arrivedAtOnce(fileId: FileId, objects: ObjectStore): Promise<number | undefined> {
  return (await objects.head(incomingKey(fileId)))?.size
}

/** Puts what is to be completed to where a client's bytes would have landed. */
export async function putIncoming(fileId: FileId, body: Readable, objects: ObjectStore): Promise<void> {
  await objects.put(incomingKey(fileId), body)
}

/**
 * Takes what was uploaded out of the reach of its address and answers how large it is. After a crash
 * it may have been taken already; then it is where it was put.
 */
export async function takeUploaded(
  { projectId, fileId, kind }: { projectId: ProjectId; fileId: FileId; kind: FileKind },
  { sql, objects }: { sql: Sql; objects: ObjectStore },
): Promise<number | undefined> {
  const original = originalKey(projectId, fileId)
  await takeResumable(fileId, original, { sql, objects })
  const arrived = await objects.head(incomingKey(fileId))
  if (arrived && arrived.size > MAX_BYTES[kind]) {
    // No address takes as much, unless its store ignores the length that was signed into it.
    await objects.delete(incomingKey(fileId))
    throw tooLarge(MAX_BYTES[kind])
  }
  if (arrived) await objects.move(incomingKey(fileId), original)
  return (await objects.head(original))?.size
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { FileId, ProjectId } from '../../base/ids.ts'
import {
  AppendTakenOver,
  ObjectTooLarge,
  StorageFull,
  StorageUnavailable,
} from '../../platform/objects/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Outbound } from '../../platform/outbound/port.ts'
import { isOutage, type Sql } from '../../platform/postgres/client.ts'
import type { FileKind } from '../address.ts'
import { originalKey, piecesPrefix } from '../keys.ts'
import { MAX_BYTES } from '../limits.ts'
import { type AppendedPart, appendAsWriter } from '../tus/append-as-writer.ts'
import { deleteResumable, findResumable, noteWhole } from '../tus/store.ts'
import { ImportFailed, ImportGone } from './errors.ts'
import { type OpenSource, openSource, RangeRefused } from './open-source.ts'
import { describeImport, findImport, type Import } from './store.ts'

export interface FetchDeps {
  sql: Sql
  objects: ObjectStore
  outbound: Outbound
  /** How long a server may send next to nothing. */
  silenceMs: number
  /** For how long it is tried again without a byte. */
  tryMs: number
}

interface Wanted {
  projectId: ProjectId
  fileId: FileId
  kind: FileKind
  signal: AbortSignal
  /** Called when bytes have come that were not there before. */
  progressed(): Promise<void>
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/**
 * Fetches a file to where uploads arrive: from its beginning, or from where it was cut off, also by a crash of the
 * service. Throws ImportFailed and ImportGone, and anything else where the service itself is at fault.
 */
export async function fetchImport(wanted: Wanted, deps: FetchDeps): Promise<void> {
  for (let tries = 1, best = -1, since = 0; ; tries++) {
    const found = await findImport(deps.sql, wanted.fileId)
    if (!found) throw new ImportGone()
    const { received } = (await findResumable(deps.sql, wanted.fileId)) ?? { received: 0 }
    if (received > best) [tries, best, since] = [1, received, performance.now()]
    try {
      return await fetchOnce(wanted, found, deps)
    } catch (error) {
      wanted.signal.throwIfAborted()
      if (error instanceof ImportFailed || isOurs(error)) throw error
      if (error instanceof RangeRefused) await forget(wanted.fileId, deps)
      else if (performance.now() - since > deps.tryMs) throw new ImportFailed(reasonOf(error))
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS)
    await sleep(pause, undefined, { signal: wanted.signal })
  }
}

async function fetchOnce(wanted: Wanted, found: Import, deps: FetchDeps): Promise<void> {
  const { sql, objects } = deps
  const { projectId, fileId, kind, signal } = wanted
  const arrived = await findResumable(sql, fileId)
  // One that was killed a moment ago still counts as under way.
  if (arrived?.busy) throw new AppendTakenOver()
  // All of it came before the service was stopped, or was even taken from where it came.
  if (arrived && arrived.received > 0 && arrived.received === arrived.length) return
  if (!arrived && (await objects.head(originalKey(projectId, fileId)))) return
  const resumption =
    arrived && arrived.received > 0 && found.validator !== null
      ? { offset: arrived.received, validator: found.validator }
      : undefined
  const source = await openSource(found.url, resumption, { ...deps, signal })
  try {
    const most = MAX_BYTES[kind]
    if (source.size !== undefined && source.size > most) throw tooLarge(most)
    if (source.offset === 0) await forget(fileId, deps)
    await describeImport(sql, fileId, source)
    let before = arrived?.received ?? 0
    async function onReceived(bytes: number): Promise<void> {
      if (bytes <= before) return
      // Once is enough: until the next try nothing counts against this one.
      before = Number.POSITIVE_INFINITY
      await wanted.progressed()
    }
    await append(fileId, source, { most, onReceived }, deps)
  } finally {
    source.body.destroy()
  }
}

async function append(
  fileId: FileId,
  { body: source, offset, size }: OpenSource,
  { most, onReceived }: Pick<AppendedPart, 'most' | 'onReceived'>,
  deps: Pick<FetchDeps, 'sql' | 'objects'>,
): Promise<void> {
  // Of a file whose size nobody knows, it must not look as if all of it were there.
  const part = { source, offset, length: size, announced: size ?? most, most: size ?? most, onReceived }
  const appended = await appendAsWriter(fileId, part, deps)
  if (!appended) throw new AppendTakenOver()
  const { body, brokenOff } = appended
  if (brokenOff instanceof ObjectTooLarge)
    throw size === undefined ? tooLarge(most) : new ImportFailed('its server sends more than it said')
  if (brokenOff) throw brokenOff
  if (size !== undefined && body.size < size) throw new Error('its server ended it too early')
  if (body.size === 0) throw new ImportFailed('it is empty')
  if (size === undefined && !(await noteWhole(deps.sql, fileId, body.size))) throw new AppendTakenOver()
}

/** What has arrived is not what is there now. */
async function forget(fileId: FileId, { sql, objects }: Pick<FetchDeps, 'sql' | 'objects'>): Promise<void> {
  if (await deleteResumable(sql, fileId)) await objects.deletePrefix(piecesPrefix(fileId))
}

const tooLarge = (most: number) =>
  new ImportFailed(`it has more than ${most / 2 ** 20} MiB, which is the most that is taken`)

/** What went wrong on the way, in words that tell nothing about the network that the service is in. */
function reasonOf(error: unknown): string {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (/^(ENOTFOUND|EAI_AGAIN|ENODATA|ESERVFAIL|ETIMEOUT)$/.test(code))
    return 'the name of its server is not known'
  if (code === 'ECONNREFUSED') return 'its server takes no connections'
  if (/^(ECONNRESET|EPIPE|HPE_.*)$/.test(code) || message === 'aborted')
    return 'its server broke it off again and again'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'the certificate of its server is not valid'
  return /^(its server|the answer|no bytes|no answer)/.test(message) ? message : 'it could not be fetched'
}

/** Whether the database or the storage is at fault, and not the other side. */
function isOurs(error: unknown): boolean {
  return isOutage(error) || error instanceof StorageUnavailable || error instanceof StorageFull
}

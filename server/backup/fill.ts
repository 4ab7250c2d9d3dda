import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { StartupError } from '../base/errors.ts'
import type { EventEngine } from '../platform/events/port.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import type { BackupContent, BackupProgress, ObjectContent } from './content.ts'
import { DamagedBackup } from './errors.ts'
import { inOrder } from './pieces.ts'
import { emptySchema, loadRows, rowSum, setSequence, sumOfTable, whileLoading } from './tables.ts'

/** An installation that is to be filled. */
export interface FillTarget {
  sql: Sql
  objects: ObjectStore
  events: Pick<EventEngine, 'position' | 'load' | 'count'>
  /** A folder for what is under way. */
  scratch: string
  /** Brings an empty database to a version of the schema, or to that of today. */
  migrate(tx: Transaction, upTo?: number): Promise<void>
}

export interface Filled {
  tables: number
  rows: number
  objects: number
  bytes: number
  events: number
}

interface FillOptions {
  progress: BackupProgress
  /** Reads back what was written to the other store, and compares. */
  readBack: boolean
}

const AT_ONCE = 8

/**
 * Fills an installation: objects and events first, each of which may be there from a try that was cut off; the records at the
 * end and all at once. Until then nobody can take it for filled.
 */
export async function fill(
  content: BackupContent,
  target: FillTarget,
  { progress, readBack }: FillOptions,
): Promise<Filled> {
  const filled: Filled = { tables: 0, rows: 0, objects: 0, bytes: 0, events: 0 }
  const put = (object: ObjectContent) => putObject(object, target.objects, readBack)
  for await (const bytes of inOrder(content.objects(), AT_ONCE, put)) {
    if (bytes === undefined) continue
    filled.objects++
    filled.bytes += bytes
    progress('objects', filled.objects, filled.bytes)
  }
  filled.events = await loadEvents(content, target, progress)
  await loadRecords(content, target, filled, progress)
  return filled
}

async function putObject(
  object: ObjectContent,
  store: ObjectStore,
  readBack: boolean,
): Promise<number | undefined> {
  const { key, size, sha256 } = object
  const there = object.isArriving ? undefined : await store.head(key)
  // Put whole or not at all, and never changed: it is from a try before this one.
  if (there?.size === size && !readBack) return size
  const opened = await object.open()
  if (!opened) {
    if (object.isRequired)
      throw new StartupError(`the object ${key} is not there, though records refer to it`)
    return undefined
  }
  const hash = createHash('sha256')
  let read = 0
  const hashed = async function* () {
    for await (const bytes of opened) {
      hash.update(bytes)
      read += bytes.length
      yield bytes
    }
  }
  if (there?.size === size) for await (const _ of hashed());
  else await store.put(key, Readable.from(hashed(), { objectMode: false }), { contentType: typeOf(key) })
  const found = hash.digest('hex')
  if (sha256 !== undefined && found !== sha256)
    throw new DamagedBackup(`the object ${key} is not what it was when it was copied`)
  if (readBack && (await hashIn(store, key)) !== found)
    throw new StartupError(
      `the object ${key} is not the same in the other store. Delete it there, and go on.`,
    )
  return read
}

async function hashIn(store: ObjectStore, key: string): Promise<string | undefined> {
  const found = await store.get(key)
  if (!found) return undefined
  const hash = createHash('sha256')
  for await (const bytes of found.stream) hash.update(bytes)
  return hash.digest('hex')
}

const TYPES: Record<string, string> = {
  avif: 'image/avif',
  jpg: 'image/jpeg',
  json: 'application/json',
  m4s: 'video/mp4',
  mp4: 'video/mp4',
}
const typeOf = (key: string) => TYPES[key.slice(key.lastIndexOf('.') + 1)]

/** By the same way as those that a service takes: the engine knows how far it is, and takes each line once. */
async function loadEvents(
  content: BackupContent,
  { events, scratch }: FillTarget,
  progress: BackupProgress,
): Promise<number> {
  const spool = `filled-from-${content.id}`
  const folder = path.join(scratch, 'filling')
  const aside = path.join(folder, 'rejected')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let at = await events.position(spool)
  let [segment, total] = [0, 0]
  for await (const { lines, count } of content.events()) {
    segment++
    total += count
    if (at && (at.segment > segment || (at.segment === segment && at.offset >= lines.length))) continue
    const file = path.join(folder, `${segment}.ndjson`)
    await writeFile(file, lines, { mode: 0o600 })
    for (let from = at?.segment === segment ? at.offset : 0; from < lines.length; ) {
      const loaded = await events.load({ spool, segment, path: file, from, to: lines.length, aside })
      const [refused] = loaded.aside
      if (refused)
        throw new StartupError(`events cannot be loaded: ${refused.reason}. They are in ${refused.file}`)
      at = loaded
      from = loaded.segment === segment ? loaded.offset : lines.length
    }
    await rm(file)
    progress('events', total)
  }
  const found = await events.count({})
  if (found !== total) throw new StartupError(`of ${total} events, ${found} are in the engine`)
  await rm(folder, { recursive: true, force: true })
  return total
}

/** One transaction: all of it, or nothing. */
async function loadRecords(
  content: BackupContent,
  { sql, migrate }: FillTarget,
  filled: Filled,
  progress: BackupProgress,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
    await emptySchema(tx)
    await migrate(tx, content.schema)
    await whileLoading(tx, async () => {
      for await (const { name, rows } of content.tables()) {
        const sum = rowSum()
        const summed = async function* () {
          for await (const row of rows()) {
            sum.add(row)
            yield row
          }
        }
        await loadRows(tx, name, summed())
        const [wanted, found] = [sum.end(), await sumOfTable(tx, name)]
        if (wanted.rows !== found.rows || wanted.sum !== found.sum)
          throw new StartupError(
            `the table ${name} has ${found.rows} rows, of ${wanted.rows}, or others than it had. Nothing was changed.`,
          )
        filled.tables++
        filled.rows += found.rows
        progress('records', filled.rows)
      }
      for (const { name, value } of await content.sequences()) await setSequence(tx, name, value)
    })
    await migrate(tx)
  })
}

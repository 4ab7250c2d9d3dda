import { crc32 } from 'node:zlib'
import type { BackupProgress, ObjectContent } from './content.ts'
import type { LiveContent } from './live-content.ts'
import type { BlobRef, Manifest, ObjectEntry, TableEntry } from './manifest.ts'
import { inOrder } from './pieces.ts'
import { type Previous, previousObjects } from './previous.ts'
import { rowSum } from './tables.ts'
import type { Vault } from './vault.ts'

export interface BackupOptions {
  vault: Vault
  /** Of Marquee. */
  version: string
  progress: BackupProgress
}

export interface MadeBackup {
  manifest: Manifest
  /** What was not in the backups before: contents, and their bytes as they are kept. */
  added: { contents: number; bytes: number }
}

const AT_ONCE = 8
const INDEX_BYTES = 4 * 2 ** 20
/** A part of a table ends at a row that its own hash chooses: a row that is added or gone moves no end but its own. */
const PART = { least: 2 ** 18, most: 8 * 2 ** 20, oneOf: 512 }

/** Writes a backup: what it consists of first, and at the end the manifest that makes it one. */
export async function makeBackup(
  content: LiveContent,
  { vault, version, progress }: BackupOptions,
): Promise<MadeBackup> {
  const added = { contents: 0, bytes: 0 }
  const missing: string[] = []
  const count = (bytes: number) => {
    if (bytes > 0) added.contents++
    added.bytes += bytes
  }
  const keep = async (part: string | Buffer): Promise<BlobRef> => {
    const kept = await vault.keep(Buffer.from(part))
    count(kept.added)
    return kept.ref
  }

  async function tables(): Promise<TableEntry[]> {
    const entries: TableEntry[] = []
    for await (const { name, rows } of content.tables()) {
      const sum = rowSum()
      const parts: BlobRef[] = []
      for await (const lines of partsOf(rows(), (row) => sum.add(row))) parts.push(await keep(lines))
      entries.push({ name, ...sum.end(), parts })
      progress('tables', entries.length)
    }
    return entries
  }

  async function objects(): Promise<Manifest['objects']> {
    const previous = await previousObjects(vault)
    const parts: BlobRef[] = []
    let [lines, length, number, bytes] = [[] as string[], 0, 0, 0]
    const endPart = async () => {
      if (lines.length > 0) parts.push(await keep(lines.join('')))
      lines = []
      length = 0
    }
    for await (const entry of inOrder(withPrevious(content.objects(), previous), AT_ONCE, keepOne)) {
      if (!entry) continue
      const line = `${JSON.stringify(entry)}\n`
      lines.push(line)
      length += line.length
      number++
      bytes += entry.size
      progress('objects', number, bytes)
      if (length >= INDEX_BYTES) await endPart()
    }
    await endPart()
    return { count: number, bytes, parts }
  }

  async function keepOne({ object, known }: Compared): Promise<ObjectEntry | undefined> {
    // One that somebody has taken out of the backups is copied again.
    if (known && (await vault.has(known.blob))) return known
    const { key, modified, isRequired } = object
    try {
      const kept = await vault.keepObject(async () => {
        const opened = await object.open()
        if (!opened) throw new Gone()
        return opened
      })
      count(kept.added)
      return { key, size: kept.size, modified, sha256: kept.sha256, blob: kept.blob }
    } catch (error) {
      if (!(error instanceof Gone)) throw error
      if (isRequired) missing.push(key)
      return undefined
    }
  }

  async function events(): Promise<Manifest['events']> {
    const parts: BlobRef[] = []
    let number = 0
    for await (const part of content.events()) {
      parts.push(await keep(part.lines))
      number += part.count
      progress('events', number)
    }
    return { count: number, parts }
  }

  const { id, moment, taken, installation, schema } = content
  const manifest: Manifest = {
    format: 1,
    id,
    moment: moment.toISOString(),
    taken: taken.toISOString(),
    installation,
    version,
    schema,
    tables: await tables(),
    sequences: await content.sequences(),
    events: await events(),
    objects: await objects(),
    files: [],
    missing,
  }
  for (const { name, content: file } of await content.files())
    manifest.files.push({ name, ref: await keep(file) })
  await vault.write(manifest)
  return { manifest, added }
}

class Gone extends Error {}

interface Compared {
  object: ObjectContent
  known: ObjectEntry | undefined
}

async function* withPrevious(
  objects: AsyncIterable<ObjectContent>,
  previous: Previous,
): AsyncGenerator<Compared> {
  for await (const object of objects)
    yield { object, known: object.isArriving ? undefined : await previous.find(object) }
}

async function* partsOf(rows: AsyncIterable<string>, seen: (row: string) => void): AsyncGenerator<string> {
  let lines: string[] = []
  let length = 0
  for await (const row of rows) {
    seen(row)
    lines.push(`${row}\n`)
    length += row.length + 1
    const isEnd = length >= PART.least && crc32(row) % PART.oneOf === 0
    if (!isEnd && length < PART.most) continue
    yield lines.join('')
    lines = []
    length = 0
  }
  if (lines.length > 0) yield lines.join('')
}

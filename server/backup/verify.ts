import { requiredOf } from './belonging.ts'
import type { BackupProgress } from './content.ts'
import { DamagedBackup } from './errors.ts'
import type { BlobRef, Manifest, ObjectEntry } from './manifest.ts'
import { inOrder, linesIn } from './pieces.ts'
import { entriesIn } from './previous.ts'
import { rowSum } from './tables.ts'
import type { Vault } from './vault.ts'
import { eventsIn } from './vault-content.ts'

export interface Verified {
  id: string
  moment: string
  tables: number
  rows: number
  objects: number
  bytes: number
  events: number
  problems: string[]
}

const AT_ONCE = 4
/** More say no more. */
const MOST_PROBLEMS = 50

/** Reads all of a backup back, and compares it with what its manifest names; and that what records refer to is there. */
export async function verifyBackup(
  vault: Vault,
  manifest: Manifest,
  progress: BackupProgress,
): Promise<Verified> {
  const problems = manifest.missing.map((key) => `${key} was not there when the backup was made`)
  const verified = { tables: 0, rows: 0, objects: 0, bytes: 0, events: 0 }
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error
      problems.push(error.message)
    }
  }

  const records = neededRecords()
  for (const { name, parts, rows, sum } of manifest.tables)
    await attempt(async () => {
      const found = rowSum()
      for (const part of parts)
        for await (const row of linesIn(vault.open(part))) {
          found.add(row)
          records.see(name, row)
        }
      const { rows: number, sum: added } = found.end()
      if (number !== rows || added !== sum)
        throw new DamagedBackup(`the table ${name} is not what was written`)
      verified.tables++
      verified.rows += rows
      progress('tables', verified.tables)
    })

  const objects = new Map<string, number>()
  const readBack = async (entry: ObjectEntry) => {
    objects.set(entry.key, entry.size)
    await attempt(async () => {
      for await (const bytes of vault.open(entry)) verified.bytes += bytes.length
      verified.objects++
      progress('objects', verified.objects, verified.bytes)
    })
  }
  await attempt(async () => {
    for await (const _ of inOrder(entriesIn(vault, manifest.objects.parts), AT_ONCE, readBack));
    if (objects.size !== manifest.objects.count)
      throw new DamagedBackup(`of ${manifest.objects.count} objects, ${objects.size} are named`)
  })
  const known = new Set(manifest.missing)
  for (const [key, size] of records.required()) {
    const found = objects.get(key)
    if (found === undefined && !known.has(key)) problems.push(`${key} is not there, though a record says so`)
    else if (found !== undefined && found !== size)
      problems.push(`${key} has ${found} bytes, and ${size} by its record`)
  }

  const parts: { ref: BlobRef; of: 'events' | 'file' }[] = [
    ...manifest.events.parts.map((ref) => ({ ref, of: 'events' as const })),
    ...manifest.files.map(({ ref }) => ({ ref, of: 'file' as const })),
  ]
  for (const { ref, of } of parts)
    await attempt(async () => {
      const read: Buffer[] = []
      for await (const bytes of vault.open(ref)) read.push(bytes)
      if (of === 'events') verified.events += eventsIn(Buffer.concat(read))
    })
  if (problems.length === 0 && verified.events !== manifest.events.count)
    problems.push(`of ${manifest.events.count} events, ${verified.events} are there`)
  const { id, moment } = manifest
  return { id, moment, ...verified, problems: problems.slice(0, MOST_PROBLEMS) }
}

/** Of all rows, those that say which objects there are. */
function neededRecords() {
  const files = new Map<string, Parameters<typeof requiredOf>[0]>()
  const segments: { file_id: string; rendition: string; number: number; bytes: number }[] = []
  const tracks: { id: never; video_id: string; size: number }[] = []
  const videos = new Map<string, string>()
  return {
    see(table: string, row: string): void {
      if (table === 'files') {
        const file = JSON.parse(row)
        files.set(file.id, { ...file, segments: [], tracks: [], pieces: [] })
      } else if (table === 'segments') segments.push(JSON.parse(row))
      else if (table === 'audio_tracks') tracks.push(JSON.parse(row))
      else if (table === 'videos') {
        const { id, file_id } = JSON.parse(row)
        videos.set(id, file_id)
      }
    },
    *required(): Generator<[string, number]> {
      for (const segment of segments) files.get(segment.file_id)?.segments.push(segment)
      for (const track of tracks) files.get(videos.get(track.video_id) ?? '')?.tracks.push(track)
      for (const file of files.values()) yield* requiredOf(file)
    },
  }
}

import { createHash } from 'node:crypto'
import { DamagedBackup } from './errors.ts'

/** Content of a backup: where it is, and what it must be. */
export interface BlobRef {
  blob: string
  sha256: string
  /** Of the content as it was, which may be kept compressed. */
  size: number
  gzip?: true
}

export interface TableEntry {
  name: string
  rows: number
  /** What the hashes of its rows add up to, in whatever order they are. */
  sum: string
  /** Lines of JSON. */
  parts: BlobRef[]
}

/** An object of the service. */
export interface ObjectEntry {
  key: string
  /** Of it, so much from its beginning. */
  size: number
  /** When it was last changed where it came from, in milliseconds since 1970. */
  modified: number
  sha256: string
  blob: string
}

export interface Manifest {
  format: 1
  id: string
  /** What was acknowledged before it is in here. */
  moment: string
  /** What was begun after it is not. */
  taken: string
  /** Which installation it is of. */
  installation: string
  version: string
  schema: number
  tables: TableEntry[]
  sequences: { name: string; value: string }[]
  /** Lines of JSON with an ObjectEntry each, in the order of keys. */
  objects: { count: number; bytes: number; parts: BlobRef[] }
  /** Lines as they are in a spool. */
  events: { count: number; parts: BlobRef[] }
  /** Of the data folder. */
  files: { name: string; ref: BlobRef }[]
  /** Objects that records refer to, and that were not there. */
  missing: string[]
}

/** A text whose end says whether all of it is there. */
export function writeManifest(manifest: Manifest): Buffer {
  const text = JSON.stringify(manifest, null, 1)
  return Buffer.from(`${text}\n${hashOf(text)}\n`)
}

export function parseManifest(id: string, content: Buffer): Manifest {
  const text = content.toString()
  const [, body, sum] = /^([\s\S]*)\n([0-9a-f]{64})\n$/.exec(text) ?? []
  if (body === undefined || hashOf(body) !== sum)
    throw new DamagedBackup(
      `the manifest of the backup ${id} is damaged or cut off. Take an earlier one: --at`,
    )
  const manifest = JSON.parse(body) as Manifest
  if (manifest.format !== 1)
    throw new DamagedBackup(`the backup ${id} is of a newer Marquee (format ${manifest.format})`)
  return manifest
}

export const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** As keys of a store can have it; in the order of time. */
export const idOf = (moment: Date) => moment.toISOString().replaceAll(/[-:.]/g, '')

import { createReadStream, existsSync } from 'node:fs'
import { mkdir, opendir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { FileId, ProjectId, TrackId } from '../../base/ids.ts'
import { originalKey, trackKey } from '../../uploads/index.ts'
import { type HeldSource, openObject } from '../at-one-moment.ts'
import { fileName } from './file-name.ts'
import { hashFile, type WrittenFile, writeHashed } from './write-hashed.ts'

/** Where the files of records lie in an export. */
export const MEDIA = 'media'
/** What there is of them, with length and hash. */
export const LIST = 'files.ndjson'

/** A row of a table, with what is needed to find its file. */
export interface ExportedRow {
  id: string
  name: string
  file_id: FileId
  body?: string
  video_id?: string
  language_code?: string
  format?: string
}

/** A file of a record: where it goes, and what is in it. */
export interface ExportedFile {
  to: string
  /** It never changes: one that a try before this has written is the same. */
  isOriginal: boolean
  open(): Promise<AsyncIterable<Buffer> | undefined>
}

/** Which file a record has, where it has one. */
export function fileOf(
  source: HeldSource,
  { projectId, table, record }: { projectId: ProjectId; table: string; record: ExportedRow },
): ExportedFile | undefined {
  const { id, name, file_id, body = '', video_id = '', language_code = '', format = '' } = record
  const ofVideo = (folder: string, called: string) =>
    `${MEDIA}/videos/${video_id}/${folder}/${fileName(called)}`
  if (table === 'subtitles')
    return {
      to: ofVideo('subtitles', `${language_code}.vtt`),
      isOriginal: false,
      open: async () => once(Buffer.from(body)),
    }
  if (table === 'audio_tracks')
    return {
      to: ofVideo('audio', `${language_code}.${format}`),
      isOriginal: false,
      open: () => openObject(source, trackKey(projectId, file_id, id as TrackId)),
    }
  if (table !== 'videos' && table !== 'images') return undefined
  return {
    to: `${MEDIA}/${table}/${id}/${fileName(name)}`,
    isOriginal: true,
    open: () => openObject(source, originalKey(projectId, file_id)),
  }
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

/** A file is there whole or not at all. */
export async function writeFileOf(
  folder: string,
  { to, isOriginal, open }: ExportedFile,
): Promise<WrittenFile | undefined> {
  const file = path.join(folder, to)
  if (isOriginal && existsSync(file)) return hashFile(file)
  const content = await open()
  if (!content) return undefined
  await mkdir(path.dirname(file), { recursive: true })
  const written = await writeHashed(`${file}.part`, content)
  await rename(`${file}.part`, file)
  return written
}

/** What was deleted or renamed since a try before this. */
export async function removeUnlisted(folder: string): Promise<void> {
  const listed = new Set<string>()
  for await (const line of createInterface(createReadStream(path.join(folder, LIST))))
    listed.add((JSON.parse(line) as { file: string }).file)
  for await (const entry of await opendir(path.join(folder, MEDIA), { recursive: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && !listed.has(path.relative(folder, file))) await rm(file)
  }
}

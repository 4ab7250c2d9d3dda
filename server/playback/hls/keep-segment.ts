import type { MadeSegment } from '../../media/video/make-video.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { addStoredBytes, holdFiles } from '../../uploads/files.ts'
import { renditionPrefix } from '../../uploads/keys.ts'
import { INIT, insertSegments, isWanted } from './store.ts'

export interface KeepDeps {
  sql: Sql
  objects: ObjectStore
}

export const initKey = (projectId: string, fileId: string, rendition: string) =>
  `${renditionPrefix(projectId, fileId, rendition)}init.mp4`
export const segmentKey = (projectId: string, fileId: string, rendition: string, number: number) =>
  `${renditionPrefix(projectId, fileId, rendition)}${number}.m4s`

interface KeptFor {
  projectId: string
  fileId: string
  holder: string
  /** Whether it is the first of its run. */
  isFirst: boolean
  progressed?: () => Promise<void>
}

/** Notes segments and counts them: both, or neither where the file, which may come back from the trash, is deleted. */
async function note(
  about: { fileId: string; rendition: string; holder: string },
  made: { number: number; bytes: number }[],
  sql: Sql,
): Promise<boolean> {
  try {
    await sql.begin(async (tx) => {
      await holdFiles(tx, [about.fileId])
      const added = await insertSegments(tx, about, made)
      if (added === undefined || !(await addStoredBytes(tx, about.fileId, added)))
        throw new NotWantedAnyMore()
    })
    return true
  } catch (error) {
    if (error instanceof NotWantedAnyMore) return false
    throw error
  }
}

/** The file, the rendition or the claim on it went while it was made; nothing of it is kept. */
export class NotWantedAnyMore extends Error {}

/**
 * Puts a segment in its place and counts it on the project. It is served from the moment it is there; a
 * crash in between leaves an object that the next one to make it replaces.
 */
export async function keepSegment(
  { projectId, fileId, holder, isFirst, progressed }: KeptFor,
  { rendition, number, bytes, init }: MadeSegment,
  { sql, objects }: KeepDeps,
): Promise<void> {
  const key = segmentKey(projectId, fileId, rendition, number)
  // The same for every segment of the rendition: whoever makes some puts it with the first.
  if (isFirst) await objects.put(initKey(projectId, fileId, rendition), init, { contentType: 'video/mp4' })
  await objects.put(key, bytes, { contentType: 'video/mp4' })
  // Once it is stored, or a disk that refuses all of them would pass for progress; and before it is noted, so
  // that whoever is killed once it is there has said so.
  await progressed?.()
  const made = [{ number, bytes: bytes.length }]
  if (isFirst) made.push({ number: INIT, bytes: init.length })
  if (await note({ fileId, rendition, holder }, made, sql)) return
  if (!(await isWanted(sql, { fileId, rendition, holder, number }))) await objects.delete(key)
  if (isFirst && !(await isWanted(sql, { fileId, rendition, holder })))
    await objects.delete(initKey(projectId, fileId, rendition))
  throw new NotWantedAnyMore()
}

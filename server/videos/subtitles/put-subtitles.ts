import { readFile } from 'node:fs/promises'
import type { ProjectScope, StorageDeps } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import { badRequest } from '../../base/errors.ts'
import type { UseForm } from '../../base/form.ts'
import type { VideoId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { cleanSubtitlesInWorker } from '../../media/subtitles/clean-in-worker.ts'
import { UnreadableSubtitles } from '../../media/subtitles/errors.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { addStoredBytes } from '../../uploads/index.ts'
import { changeVideo, requireRoom } from '../change-video.ts'
import { allLabelled, type Labelled, oneLabelled, readLanguage } from '../form-fields.ts'
import type { Subtitle } from '../language-schemas.ts'
import { deleteSubtitles, insertSubtitle, nextPosition, type SubtitleRow } from './store.ts'
import { toSubtitle } from './to-subtitle.ts'

const MAX_BYTES = 10 * 2 ** 20
const MAX_FILES = 100
const ENDINGS = ['.srt', '.vtt']

export type SubtitleDeps = StorageDeps & { cdnUrl: CdnUrl }

interface CleanSubtitle extends Labelled {
  body: string
}

/** Adds the subtitles of a language, or replaces those there are. */
export async function putSubtitle(
  caller: Caller,
  scope: ProjectScope,
  { videoId, language: code, useForm }: { videoId: VideoId; language: string; useForm: UseForm },
  deps: SubtitleDeps,
): Promise<Subtitle> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  const language = readLanguage(code, 'lang_code')
  await requireRoom(projectId, videoId, deps)
  return useForm({ maxBytes: MAX_BYTES, maxFiles: 1 }, async (form) => {
    const wanted = await clean(oneLabelled(form, language, ENDINGS), 'file')
    return changeVideo(projectId, videoId, deps.sql, async (tx, { fileId }) => {
      const [old] = await deleteSubtitles(tx, videoId, language)
      const position = old?.position ?? (await nextPosition(tx, videoId))
      const row = await insert(tx, videoId, wanted, position)
      await addStoredBytes(tx, fileId, Buffer.byteLength(wanted.body) - (old?.bytes ?? 0))
      return toSubtitle(row, projectId, fileId, deps.cdnUrl)
    })
  })
}

/** Replaces all subtitles of a video: a player sees those before or these, never some of both. */
export async function replaceSubtitles(
  caller: Caller,
  scope: ProjectScope,
  { videoId, useForm }: { videoId: VideoId; useForm: UseForm },
  deps: SubtitleDeps,
): Promise<Subtitle[]> {
  allow(caller, 'videos:write', scope)
  const { projectId } = scope
  await requireRoom(projectId, videoId, deps)
  return useForm({ maxBytes: MAX_BYTES, maxFiles: MAX_FILES }, async (form) => {
    const wanted: CleanSubtitle[] = []
    for (const [i, labelled] of allLabelled(form, ENDINGS).entries())
      wanted.push(await clean(labelled, `files[${i}]`))
    return changeVideo(projectId, videoId, deps.sql, async (tx, { fileId }) => {
      const old = await deleteSubtitles(tx, videoId)
      const rows: SubtitleRow[] = []
      for (const [position, one] of wanted.entries()) rows.push(await insert(tx, videoId, one, position))
      const added = wanted.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
      await addStoredBytes(tx, fileId, added - old.reduce((sum, { bytes }) => sum + bytes, 0))
      return rows.map((row) => toSubtitle(row, projectId, fileId, deps.cdnUrl))
    })
  })
}

async function clean(labelled: Labelled, field: string): Promise<CleanSubtitle> {
  try {
    const { vtt } = await cleanSubtitlesInWorker(await readFile(labelled.file.path))
    return { ...labelled, body: vtt }
  } catch (error) {
    if (error instanceof UnreadableSubtitles) throw badRequest(`${field}: ${error.message}`)
    throw error
  }
}

function insert(tx: Transaction, videoId: VideoId, wanted: CleanSubtitle, position: number) {
  const { file, language, label, body } = wanted
  const { name, size } = file
  return insertSubtitle(tx, { id: newId('subtitle'), videoId, position, language, label, name, size, body })
}

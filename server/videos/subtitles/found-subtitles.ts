import type { FileId, VideoId } from '../../base/ids.ts'
import { newId } from '../../base/ids.ts'
import { cleanSubtitlesInWorker } from '../../media/subtitles/clean-in-worker.ts'
import { UnreadableSubtitles } from '../../media/subtitles/errors.ts'
import type { ExtractedSubtitles } from '../../media/video/extract-subtitles.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { addStoredBytes } from '../../uploads/index.ts'
import { canonicalLanguage, languageName } from '../languages.ts'
import { insertSubtitle } from './store.ts'

/** Subtitles that came with a video, clean. */
export interface FoundSubtitles {
  language: string
  label: string
  name: string
  size: number
  body: string
}

/** Undetermined, as containers and BCP 47 call it. */
const UNKNOWN = 'und'

/** Reads the subtitles that were inside a file: the first of each language, since a language has one. */
export async function readFound(
  extracted: ExtractedSubtitles[],
): Promise<{ subtitles: FoundSubtitles[]; notes: string[] }> {
  const subtitles: FoundSubtitles[] = []
  const notes: string[] = []
  for (const { index, language: code, title, content } of extracted) {
    const language = canonicalLanguage(code) ?? UNKNOWN
    const body = await clean(content)
    if (body === undefined) notes.push(`the subtitles in stream ${index} cannot be read and are left out`)
    else if (subtitles.some((one) => one.language === language))
      notes.push(`the subtitles in stream ${index} are in a language that others have, and are left out`)
    else {
      const label = title.replace(/[\x00-\x1f\x7f\u2028\u2029]/g, ' ').trim() || languageName(language)
      subtitles.push({ language, label, name: `stream-${index}.vtt`, size: content.length, body })
    }
  }
  return { subtitles, notes }
}

/** Undefined where there is nothing to show. */
async function clean(content: Buffer): Promise<string | undefined> {
  try {
    const { vtt, cues } = await cleanSubtitlesInWorker(content)
    return cues > 0 ? vtt : undefined
  } catch (error) {
    if (error instanceof UnreadableSubtitles) return undefined
    throw error
  }
}

/** Adds subtitles to a video that has none yet. */
export async function addSubtitles(
  tx: Transaction,
  { videoId, fileId }: { videoId: VideoId; fileId: FileId },
  subtitles: FoundSubtitles[],
): Promise<void> {
  for (const [position, one] of subtitles.entries())
    await insertSubtitle(tx, { id: newId('subtitle'), videoId, position, ...one })
  const bytes = subtitles.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
  if (bytes > 0) await addStoredBytes(tx, fileId, bytes)
}

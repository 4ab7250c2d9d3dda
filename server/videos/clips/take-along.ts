import type { FileId, VideoId } from '../../base/ids.ts'
import { readWebVtt, writeWebVtt } from '../../media/subtitles/webvtt.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { toChapters } from '../chapters/to-chapters.ts'
import { findChapters, updateChapters } from '../store.ts'
import { addSubtitles } from '../subtitles/found-subtitles.ts'
import { subtitlesWithBodies } from '../subtitles/store.ts'

interface Along {
  /** The video that the clip is of. */
  of: VideoId
  to: VideoId
  fileId: FileId
  /** Seconds of the one that it is of. */
  start: number
  end: number
}

/** Gives a clip the subtitles and chapters that belong to its part, with its own times. */
export async function takeAlong(tx: Transaction, { of, to, fileId, start, end }: Along): Promise<void> {
  const marks = (await findChapters(tx, of))
    .filter((chapter) => chapter.start_time_sec < end && chapter.end_time_sec > start)
    .map(({ title, start_time_sec, end_time_sec }) => ({
      title,
      start_time_sec: rounded(Math.max(0, start_time_sec - start)),
      end_time_sec: rounded(Math.min(end, end_time_sec) - start),
    }))
  if (marks.length > 0) await updateChapters(tx, to, toChapters(marks, rounded(end - start)))
  const subtitles = await subtitlesWithBodies(tx, of)
  await addSubtitles(
    tx,
    { videoId: to, fileId },
    subtitles.flatMap(({ language_code: language, label, name, body }) => {
      const cut = cutSubtitles(body, start * 1000, end * 1000)
      return cut ? [{ language, label, name: name.toString(), size: Buffer.byteLength(cut), body: cut }] : []
    }),
  )
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Undefined where nothing of them is left. */
function cutSubtitles(body: string, from: number, to: number): string | undefined {
  const cues = readWebVtt(body)
    .filter((cue) => cue.start < to && cue.end > from)
    .map((cue) => ({
      ...cue,
      start: Math.round(Math.max(0, cue.start - from)),
      end: Math.round(Math.min(to, cue.end) - from),
    }))
  return cues.length > 0 ? writeWebVtt(cues) : undefined
}

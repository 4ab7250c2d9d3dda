import { Worker } from 'node:worker_threads'
import { UnreadableSubtitles } from './errors.ts'
import { cleanSubtitles } from './read-subtitles.ts'

export interface Cleaned {
  vtt: string
  cues: number
}

/** What a thread answers: the outcome, or what its owner is told. */
export type Outcome = { cleaned: Cleaned } | { refusal: string }

/** Far more than any film's subtitles have; below it, a thread costs more than the work. */
const SMALL_BYTES = 256 * 1024
const MEMORY_MB = 1024

/** Cleans subtitles without keeping others waiting: a large file, read in a thread of its own, may take seconds. */
export async function cleanSubtitlesInWorker(bytes: Buffer): Promise<Cleaned> {
  if (bytes.length <= SMALL_BYTES) return cleanSubtitles(bytes)
  const worker = new Worker(new URL('./clean-worker.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  try {
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', () => reject(new UnreadableSubtitles('it is too large to be read')))
      worker.once('exit', () => reject(new UnreadableSubtitles('it cannot be read')))
    })
    if ('refusal' in outcome) throw new UnreadableSubtitles(outcome.refusal)
    return outcome.cleaned
  } finally {
    await worker.terminate()
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from './clean-in-worker.ts'
import { UnreadableSubtitles } from './errors.ts'
import { cleanSubtitles } from './read-subtitles.ts'

function outcome(): Outcome {
  try {
    return { cleaned: cleanSubtitles(Buffer.from(workerData)) }
  } catch (error) {
    if (error instanceof UnreadableSubtitles) return { refusal: error.message }
    throw error
  }
}

parentPort!.postMessage(outcome())

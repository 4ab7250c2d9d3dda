import { decodeText } from './decode-text.ts'
import { parseSubtitles } from './parse.ts'
import { writeWebVtt } from './webvtt.ts'

/**
 * Turns a file that somebody sent, SubRip or WebVTT, into WebVTT that is safe to serve. Throws
 * UnreadableSubtitles where there is nothing to show.
 */
export function cleanSubtitles(bytes: Buffer): { vtt: string; cues: number } {
  const cues = parseSubtitles(decodeText(bytes))
  return { vtt: writeWebVtt(cues), cues: cues.length }
}

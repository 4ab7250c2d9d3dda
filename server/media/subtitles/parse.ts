import { cleanCue } from './clean.ts'
import { UnreadableSubtitles } from './errors.ts'
import type { Cue } from './port.ts'
import { readTiming, type Timing } from './timing.ts'

/**
 * Reads SubRip and WebVTT as players do, and what `writeWebVtt` has written exactly. The cues are clean and
 * in the order in which they are shown. An X-TIMESTAMP-MAP is ignored: it ties a segment to a stream that we
 * do not have, and the times of a whole file count from its start.
 */
export function parseSubtitles(text: string): Cue[] {
  const file: SubtitleFile = {
    lines: text.split('\n'),
    webvtt: text.trimStart().startsWith('WEBVTT'),
    numbered: false,
  }
  const marks = findMarks(file)
  file.numbered = isNumbered(file.lines, marks[0]?.line ?? 0)
  const cues = marks.flatMap((mark, at) => readCue(file, mark, marks[at + 1]?.line ?? file.lines.length))
  if (cues.length > 0) return withUniqueIds(cues.sort((one, other) => one.start - other.start))
  throw new UnreadableSubtitles(
    marks.some(({ timing }) => timing)
      ? 'none of its cues has a text and a time to show it'
      : 'no cue could be read: it is neither SubRip nor WebVTT',
  )
}

interface SubtitleFile {
  lines: string[]
  webvtt: boolean
  /** Whether the cues have numbers, so that one without a blank line before it is not text. */
  numbered: boolean
}

/** Where a cue begins; without a timing where its times make no sense and it is left out. */
interface CueMark {
  line: number
  timing?: Timing
}

function findMarks({ lines, webvtt }: SubtitleFile): CueMark[] {
  const marks: CueMark[] = []
  let inComment = false
  for (const [at, line] of lines.entries()) {
    if (webvtt && isBlank(lines[at - 1])) inComment = /^(NOTE|STYLE|REGION)(\s|$)/.test(line)
    if (inComment || !line.includes('-->')) continue
    const timing = readTiming(line)
    if (timing) marks.push({ line: at, timing })
    else if (isBroken({ lines, webvtt }, at)) marks.push({ line: at })
  }
  return marks
}

/** An arrow that begins a cue, and not one in a text. */
function isBroken(file: Pick<SubtitleFile, 'lines' | 'webvtt'>, at: number): boolean {
  if (hasHeader(file, at)) return true
  return isBlank(file.lines[at - 1]) && (file.webvtt || /^\s*\d/.test(file.lines[at] ?? ''))
}

function readCue(file: SubtitleFile, { line, timing }: CueMark, next: number): Cue[] {
  if (!timing) return []
  const id = file.webvtt && hasHeader(file, line) ? file.lines[line - 1] : undefined
  const cue = cleanCue({ ...timing, text: readText(file, line + 1, next), ...(id && { id }) })
  return cue ? [cue] : []
}

/** Text of SubRip goes on after a blank line, up to the next cue; that of WebVTT ends there. */
function readText(file: SubtitleFile, from: number, next: number): string {
  const text = file.lines.slice(from, Math.max(from, textEnd(file, from, next)))
  const blank = file.webvtt ? text.findIndex(isBlank) : -1
  return text.slice(0, blank < 0 ? text.length : blank).join('\n')
}

/** Where the text ends that comes before the cue at `next`: at the number of that cue, if it has one. */
function textEnd(file: SubtitleFile, from: number, next: number): number {
  const { lines, numbered } = file
  const atEnd = next === lines.length
  if (!atEnd && hasHeader(file, next)) return next - 1
  if (!numbered) return next
  if (!atEnd && isNumber(lines[next - 1])) return next - 1
  let last = next - 1
  while (last > from && isBlank(lines[last])) last--
  const alone = isBlank(lines[last - 1]) && (atEnd || last < next - 1)
  return alone && isNumber(lines[last]) && !lines.slice(from, last).every(isBlank) ? last : next
}

/** Whether the line above the times stands there for its number or name: it follows a blank line. */
function hasHeader({ lines, webvtt }: Pick<SubtitleFile, 'lines' | 'webvtt'>, at: number): boolean {
  const line = lines[at - 1] ?? ''
  if (isBlank(line) || !isBlank(lines[at - 2]) || line.includes('-->')) return false
  return webvtt || isOddNumber(line)
}

function isNumbered(lines: string[], firstCue: number): boolean {
  let above = firstCue - 1
  while (above > 0 && isBlank(lines[above])) above--
  return isNumber(lines[above])
}

function isBlank(line = ''): boolean {
  return line.trim() === ''
}

const LONGEST_NUMBER = 16

function isNumber(line = ''): boolean {
  return line.length <= LONGEST_NUMBER && /^\d+$/.test(line.trim())
}

/** `#3`, `3.`, `-1`. */
function isOddNumber(line: string): boolean {
  return line.length <= LONGEST_NUMBER && /\d/.test(line) && !/\p{L}/u.test(line)
}

function withUniqueIds(cues: Cue[]): Cue[] {
  const seen = new Set<string>()
  for (const cue of cues) {
    if (cue.id !== undefined && seen.has(cue.id)) delete cue.id
    else if (cue.id !== undefined) seen.add(cue.id)
  }
  return cues
}

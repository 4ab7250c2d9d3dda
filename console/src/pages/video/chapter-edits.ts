import type { Chapter } from './queries.ts'

/** Two chapters are at least so far apart, in seconds. */
const APART = 0.1

/** Chapters in their order, each until the next begins, as the service will have them. */
function arrange(marks: Pick<Chapter, 'title' | 'start_time_sec'>[], duration: number): Chapter[] {
  const sorted = [...marks].sort((a, b) => a.start_time_sec - b.start_time_sec)
  return sorted.map(({ title, start_time_sec }, i) => ({
    title,
    start_time_sec,
    end_time_sec: sorted[i + 1]?.start_time_sec ?? duration,
    duration_label: '',
  }))
}

export const withChapter = (chapters: Chapter[], title: string, start: number, duration: number): Chapter[] =>
  arrange([...chapters, { title, start_time_sec: start }], duration)

export const withoutChapter = (chapters: Chapter[], index: number, duration: number): Chapter[] =>
  arrange(
    chapters.filter((_, i) => i !== index),
    duration,
  )

export const withTitle = (chapters: Chapter[], index: number, title: string): Chapter[] =>
  chapters.map((chapter, i) => (i === index ? { ...chapter, title } : chapter))

export const withStart = (chapters: Chapter[], index: number, start: number, duration: number): Chapter[] =>
  arrange(
    chapters.map((chapter, i) => (i === index ? { ...chapter, start_time_sec: start } : chapter)),
    duration,
  )

/** Whether one begins there, other than the one that is meant. */
export const isTaken = (chapters: Chapter[], start: number, index = -1): boolean =>
  chapters.some((chapter, i) => i !== index && Math.abs(chapter.start_time_sec - start) < APART / 2)

/** As far as it can be pulled without passing another. */
export function between(chapters: Chapter[], index: number, start: number, duration: number): number {
  const first = index > 0 ? chapters[index - 1]!.start_time_sec + APART : 0
  const last = (chapters[index + 1]?.start_time_sec ?? duration) - APART
  return toTenth(Math.max(first, Math.min(start, last)))
}

export const toTenth = (seconds: number): number => Math.floor(seconds * 10 + 1e-6) / 10

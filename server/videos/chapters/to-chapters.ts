import type { Chapter } from '../schemas.ts'

interface ChapterMark {
  title: string
  start_time_sec: number
  /** Where it is not said, a chapter ends where the next begins, and the last with the video. */
  end_time_sec?: number
}

/** Chapters as they are shown. The marks are in order and begin within the video. */
export function toChapters(marks: ChapterMark[], duration: number): Chapter[] {
  return marks.map(({ title, start_time_sec, end_time_sec }, i) => {
    const end = Math.min(end_time_sec ?? marks[i + 1]?.start_time_sec ?? duration, duration)
    return { title, start_time_sec, end_time_sec: end, duration_label: lengthLabel(end - start_time_sec) }
  })
}

/**
 * The chapters without one of them. The chapter before it goes on through its time, unless there was a pause
 * between the two, as there may be in chapters that an uploaded file had.
 */
export function withoutChapter(chapters: Chapter[], index: number, duration: number): Chapter[] {
  const removed = chapters[index]!
  const marks = chapters.map((chapter, i) => {
    const goesOn = i === index - 1 && chapter.end_time_sec === removed.start_time_sec
    return goesOn ? { ...chapter, end_time_sec: removed.end_time_sec } : chapter
  })
  return toChapters(marks.toSpliced(index, 1), duration)
}

const MAX_CHAPTERS = 1000
const MAX_TITLE = 200

/** Chapters that an uploaded file has, however well its writer kept to the rules. */
export function foundChapters(
  found: { title: string; start: number; end: number }[],
  duration: number,
): Chapter[] {
  const marks = found
    .filter(({ start, end }) => start >= 0 && start < duration && end > start)
    .sort((a, b) => a.start - b.start)
    .slice(0, MAX_CHAPTERS)
    .map(({ title, start, end }, i) => ({
      title:
        title
          .replace(/[\x00-\x1f\x7f]/g, ' ')
          .trim()
          .slice(0, MAX_TITLE) || `Chapter ${i + 1}`,
      start_time_sec: start,
      end_time_sec: end,
    }))
  return toChapters(marks, duration)
}

/** `MM:SS`; an hour and more stays minutes. Seconds that have not passed are not shown, as on a clock. */
function lengthLabel(seconds: number): string {
  // Differences of times such as 0.3 and 0.1 are a little off.
  const whole = Math.floor(Number(seconds.toFixed(3)))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(whole / 60))}:${two(whole % 60)}`
}

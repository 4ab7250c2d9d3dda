import type { StoredEvent } from '../../server/platform/events/line.ts'
import { PLAYBACK, type QualityCounts, type QualityQuery } from '../../server/platform/events/port.ts'

type Told = Pick<StoredEvent, 'kind' | 'time' | 'fields'> & { envelope: Record<string, string> }

/** The oracle of how well videos played. */
export function playedHowWell(events: Told[], { video, by }: QualityQuery): QualityCounts[] {
  const told = events.filter((event) => isOfPlay(event, video))
  return [...new Set(told.map((event) => groupOf(event, by)))]
    .map((group) =>
      count(
        group,
        told.filter((event) => groupOf(event, by) === group),
      ),
    )
    .sort((a, b) => b.plays - a.plays || Buffer.compare(Buffer.from(a.group), Buffer.from(b.group)))
}

function isOfPlay({ kind, fields }: Told, video: string | undefined): boolean {
  const isWanted = (id: string | undefined) => (video === undefined ? !!id : id === video)
  if (kind === 'error')
    return (
      fields.error_type === 'playback' && fields.resource_type === 'video' && isWanted(fields.resource_id)
    )
  const isTold = PLAYBACK.some((type) => fields.interaction_type === type)
  return kind === 'interaction' && isTold && fields.element_type === 'video' && isWanted(fields.element_id)
}

function groupOf({ time, fields, envelope }: Told, by: QualityQuery['by']): string {
  if (by === undefined) return ''
  if (by !== 'day') return fields[by] ?? envelope[by] ?? ''
  return String(new Date(Math.floor(time / 1000)).setUTCHours(0, 0, 0, 0) / 86_400_000)
}

function count(group: string, told: Told[]): QualityCounts {
  const numbers = (type: string, mostDigits: number) =>
    told
      .filter(({ fields }) => fields.interaction_type === type)
      .map(({ fields }) => ({ x: numberOf(fields.click_x, 9), y: numberOf(fields.click_y, mostDigits) }))
  const both = (type: string, mostDigits: number) =>
    numbers(type, mostDigits).flatMap(({ x, y }) => (x === undefined || y === undefined ? [] : { x, y }))
  const starts = numbers('playback_start', 9)
    .flatMap(({ x }) => x ?? [])
    .sort((a, b) => a - b)
  const rungs = both('playback_rung', 5)
  const frames = both('playback_frames', 9)
  return {
    group,
    plays: playsOf(told),
    failed: playsOf(told.filter(({ kind }) => kind === 'error')),
    startMedian: percentile(starts, 50),
    startP95: percentile(starts, 95),
    stalled: sum(numbers('playback_stall', 9).flatMap(({ x }) => x ?? [])),
    watched: sum(rungs.map(({ x }) => x)),
    heights: sum(rungs.map(({ x, y }) => x * y)),
    dropped: sum(frames.map(({ x }) => x)),
    frames: sum(frames.map(({ y }) => y)),
  }
}

/** The smallest that so many of a hundred do not exceed. */
function percentile(sorted: number[], hundredths: number): number {
  const reaches = (value: number) => sorted.filter((other) => other <= value).length * 100
  return sorted.find((value) => reaches(value) >= hundredths * sorted.length) ?? 0
}

function numberOf(text: string | undefined, mostDigits: number): number | undefined {
  const isNumber =
    text !== undefined &&
    text.length <= mostDigits &&
    text !== '' &&
    [...text].every((c) => c >= '0' && c <= '9')
  return isNumber ? Number(text) : undefined
}

function playsOf(events: Told[]): number {
  return new Set(events.flatMap(({ fields }) => fields.session_id || [])).size
}

function sum(values: number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

import type { Interval } from '../../server/platform/events/calendar.ts'
import type { StoredEvent } from '../../server/platform/events/line.ts'
import type { Content } from '../../server/platform/events/port.ts'

/** An event with what its line says of it. */
export interface Happened extends StoredEvent {
  organization: string
  project: string
  arrival: number
  viewer?: string
  envelope: Record<string, string>
}

export function fieldOf(event: Happened, name: string): string | undefined {
  if (name === 'project_id') return event.project
  return event.fields[name] ?? event.envelope[name]
}

export function contentOf(event: Happened, by: Content): string | undefined {
  if (event.kind !== 'content_view') return undefined
  return (by === 'video' ? event.video : event.fields[`${by}_id`]) || undefined
}

/** Starts, and viewers without one. */
export function countViews(views: Happened[]): number {
  const starts = views.filter(({ fields }) => fields.view_type === 'start')
  const started = viewersOf(starts)
  return starts.length + viewersOf(views).filter((viewer) => !started.includes(viewer)).length
}

/** Spans of UTC are numbered so that the one with the first moment of 1970 is 0. */
export function bucketOf(interval: Interval, time: number): number {
  const date = new Date(Math.floor(time / 1000))
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const hour = 3600 * 1000
  if (interval === 'hour') return Date.UTC(year, month, day, date.getUTCHours()) / hour
  if (interval === 'day') return Date.UTC(year, month, day) / (24 * hour)
  if (interval === 'month') return (year - 1970) * 12 + month
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return (Date.UTC(year, month, day - sinceMonday) - Date.UTC(1969, 11, 29)) / (7 * 24 * hour)
}

export function bucketsOf(interval: Interval, events: Happened[]): number[] {
  return unique(events.map(({ time }) => bucketOf(interval, time))).sort((a, b) => a - b)
}

export function byViewer(events: Happened[]): Happened[][] {
  return viewersOf(events).map((viewer) => events.filter((event) => event.viewer === viewer))
}

export function viewersOf(events: Happened[]): string[] {
  return unique(events.flatMap(({ viewer }) => viewer ?? []))
}

export function inOrder(a: Happened, b: Happened): number {
  return a.time - b.time || a.arrival - b.arrival
}

export function mostFrequent<T extends string>(values: T[]): [T, number][] {
  return unique(values)
    .map((value): [T, number] => [value, values.filter((other) => other === value).length])
    .sort((a, b) => b[1] - a[1] || byBytes(a[0], b[0]))
}

/** Text is ordered by its bytes in UTF-8, which is the order of code points. */
export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export function unique<T>(values: T[]): T[] {
  return [...new Set(values)]
}

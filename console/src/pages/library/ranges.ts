import type { Operations } from '@marquee/client'
import { isDay, startOfDay } from '../../days.ts'
import { formatBytes, formatDay } from '../../format.ts'
import { formatDuration } from '../../timecode.ts'
import { words } from '../../words.ts'

type MediaQuery = NonNullable<Operations['get']['/media']['query']>

/** The filters that take any range beside the choices that are offered. */
const RANGED = ['length', 'date', 'size'] as const
export type Ranged = (typeof RANGED)[number]

export const isRanged = (name: string): name is Ranged => (RANGED as readonly string[]).includes(name)

/** From and to, either of which may be left open: seconds, days as `2026-11-17`, megabytes. */
export interface Range {
  from: string
  to: string
}

const MB = 1_000_000
const NUMBER = /^\d{1,9}(\.\d{1,3})?$/

const FORMS: Record<Ranged, { isValue: (text: string) => boolean; format: (text: string) => string }> = {
  length: { isValue: (text) => NUMBER.test(text), format: (text) => formatDuration(Number(text)) },
  size: { isValue: (text) => NUMBER.test(text), format: (text) => formatBytes(Number(text) * MB) },
  date: { isValue: isDay, format: (text) => formatDay(startOfDay(text)) },
}

/** As it is in the address: `60..600`, `60..` or `..600`. Nothing where it is no range. */
export function parseRange(name: Ranged, text: string): Range | undefined {
  const [from = '', to = '', ...more] = text.split('..')
  const isValid = [from, to].every((value) => value === '' || FORMS[name].isValue(value))
  return text.includes('..') && more.length === 0 && isValid && from + to ? { from, to } : undefined
}

export const rangeText = ({ from, to }: Range): string => (from || to ? `${from}..${to}` : '')

/** As people read it. */
export function formatRange(name: Ranged, { from, to }: Range): string {
  const { format } = FORMS[name]
  if (from && to) return words.library.range.between(format(from), format(to))
  return from ? words.library.range.from(format(from)) : words.library.range.to(format(to))
}

export function rangeQuery(name: Ranged, { from, to }: Range): Partial<MediaQuery> {
  if (name === 'date')
    return {
      ...(from && { created_after: startOfDay(from).toISOString() }),
      // The last day is meant as a whole.
      ...(to && { created_before: startOfDay(to, 1).toISOString() }),
    }
  const of = (text: string) => (name === 'size' ? Math.round(Number(text) * MB) : Number(text))
  const [least, most] =
    name === 'size' ? (['min_size', 'max_size'] as const) : (['min_duration', 'max_duration'] as const)
  return { ...(from && { [least]: of(from) }), ...(to && { [most]: of(to) }) }
}

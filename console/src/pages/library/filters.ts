import type { Operations } from '@marquee/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { startOfDaysAgo } from '../../days.ts'
import { isRanged, parseRange, rangeQuery } from './ranges.ts'

type MediaQuery = NonNullable<Operations['get']['/media']['query']>

const MINUTE = 60
const MB = 1_000_000

/** What each choice asks the service for, by the words that stand for it in the address. */
export const CHOICES = {
  kind: { video: { kind: 'video' }, image: { kind: 'image' } },
  length: {
    short: { max_duration: MINUTE },
    medium: { min_duration: MINUTE, max_duration: 10 * MINUTE },
    long: { min_duration: 10 * MINUTE, max_duration: 60 * MINUTE },
    longest: { min_duration: 60 * MINUTE },
  },
  date: { today: 0, week: 6, month: 29, year: 364 },
  size: {
    small: { max_size: 10 * MB },
    medium: { min_size: 10 * MB, max_size: 100 * MB },
    large: { min_size: 100 * MB, max_size: 1000 * MB },
    largest: { min_size: 1000 * MB },
  },
  status: {
    ready: { status: 'complete' },
    processing: { status: 'processing' },
    error: { status: 'error' },
  },
  sort: {
    newest: {},
    oldest: { order: 'asc' },
    name: { sort: 'name', order: 'asc' },
    'name-down': { sort: 'name', order: 'desc' },
    largest: { sort: 'size', order: 'desc' },
    smallest: { sort: 'size', order: 'asc' },
    longest: { sort: 'duration', order: 'desc' },
    shortest: { sort: 'duration', order: 'asc' },
  },
} as const satisfies Record<string, Record<string, Partial<MediaQuery> | number>>

/** The filters with choices of their own, in the order in which they are shown. */
export const FILTERS = ['kind', 'length', 'date', 'size', 'status'] as const

type Name = keyof typeof CHOICES | 'q' | 'feed'
type LibrarySearch = { [N in Name]?: string }

const NAMES: Name[] = ['q', 'sort', 'feed', ...FILTERS]

export interface LibraryFilters {
  search: LibrarySearch
  query: MediaQuery
  isFiltered: boolean
  /** What is undefined is taken out of the address. */
  change(changes: { [N in Name]?: string | undefined }): void
  clear(): void
}

/** What is looked for. It is in the address, so that it can be linked and reloaded. */
export function useLibraryFilters(): LibraryFilters {
  const given = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const text = JSON.stringify(NAMES.map((name) => given[name]))
  return useMemo(() => {
    const search = read(given)
    const go = (next: LibrarySearch) => void navigate({ to: '.', search: next as never, replace: true })
    return {
      search,
      query: toQuery(search),
      isFiltered: Object.keys(search).some((name) => name !== 'sort'),
      change: (changes) => go(compact({ ...search, ...changes })),
      clear: () => go(compact({ sort: search.sort })),
    }
    // The address is read by its text: an equal one must not look like another query.
  }, [text, navigate])
}

/** An address may be written by hand; numbers in it are read as such. */
function read(given: Record<string, unknown>): LibrarySearch {
  const told = NAMES.map((name) => {
    const value = given[name] === undefined ? undefined : String(given[name])
    const choices = name in CHOICES ? CHOICES[name as keyof typeof CHOICES] : undefined
    const isKnown = !choices || !value || Object.hasOwn(choices, value) || rangeOf(name, value)
    return [name, isKnown ? value : undefined]
  })
  return compact(Object.fromEntries(told))
}

function compact(search: { [N in Name]?: string | undefined }): LibrarySearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as LibrarySearch
}

function toQuery({ q, feed, ...chosen }: LibrarySearch): MediaQuery {
  const query: MediaQuery = {}
  for (const [name, value] of Object.entries(chosen))
    Object.assign(query, rangeOf(name, value) ?? choiceOf(name as keyof typeof CHOICES, value))
  if (q) query.q = q
  if (feed) query.feed_id = feed
  return query
}

function rangeOf(name: string, value: string): Partial<MediaQuery> | undefined {
  const range = isRanged(name) ? parseRange(name, value) : undefined
  return range && rangeQuery(name as never, range)
}

function choiceOf(name: keyof typeof CHOICES, value: string): Partial<MediaQuery> {
  const chosen = (CHOICES[name] as Record<string, Partial<MediaQuery> | number>)[value]
  return typeof chosen === 'number' ? { created_after: startOfDaysAgo(chosen).toISOString() } : (chosen ?? {})
}

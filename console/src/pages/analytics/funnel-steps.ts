import { useCallback, useEffect, useRef, useState } from 'react'
import { words } from '../../words.ts'
import type { FunnelStep } from './queries.ts'
import { useLooked } from './use-looked.ts'

/** A step while it is being put together: fields in the order in which they were added. */
export interface DraftStep {
  name: string
  kind: string
  filters: { field: string; value: string }[]
}

export const MOST_STEPS = 20

const [came, watched, ended] = words.analytics.funnel.defaults as [string, string, string]
const FIRST_STEPS: DraftStep[] = [
  { name: came, kind: 'session_start', filters: [] },
  { name: watched, kind: 'content_view', filters: [] },
  { name: ended, kind: 'content_view', filters: [{ field: 'view_type', value: 'end' }] },
]

/** Addresses are written by anybody: only what has the shape of steps is taken. */
function readSteps(from: unknown): DraftStep[] {
  if (!Array.isArray(from) || from.length === 0) return FIRST_STEPS
  return from.slice(0, MOST_STEPS).map((step: Partial<Record<string, unknown>> | null) => ({
    name: textOf(step?.name),
    kind: textOf(step?.kind),
    filters: (Array.isArray(step?.filters) ? step.filters : []).map((filter: unknown) => {
      const [field, value] = Array.isArray(filter) ? filter : []
      return { field: textOf(field), value: textOf(value) }
    }),
  }))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const writtenOf = (steps: DraftStep[]) =>
  steps.map(({ name, kind, filters }) => ({
    name,
    kind,
    ...(filters.length > 0 && { filters: filters.map(({ field, value }) => [field, value]) }),
  }))

/** The steps of the address. They are also held here: an address is too slow to type into. */
export function useSteps(): [DraftStep[], (change: (steps: DraftStep[]) => DraftStep[]) => void] {
  const { search, change } = useLooked()
  const [steps, setSteps] = useState(() => readSteps(search.steps))
  const written = useRef(JSON.stringify(search.steps))
  const there = JSON.stringify(search.steps)
  // Somebody went back, or followed a link to this page.
  useEffect(() => {
    if (there === written.current) return
    written.current = there
    setSteps(readSteps(there && JSON.parse(there)))
  }, [there])
  const latest = useRef(change)
  latest.current = change
  const edit = useCallback((edited: (steps: DraftStep[]) => DraftStep[]) => {
    setSteps((before) => {
      const after = edited(before)
      queueMicrotask(() => {
        const next = writtenOf(after)
        written.current = JSON.stringify(next)
        latest.current({ steps: next }, false)
      })
      return after
    })
  }, [])
  return [steps, edit]
}

/** As the service takes them; undefined while something of them is missing. */
export function stepsToAsk(steps: DraftStep[]): FunnelStep[] | undefined {
  const isWhole = steps.every(
    ({ kind, filters }) => kind && filters.every(({ field, value }) => field && value),
  )
  if (!isWhole) return undefined
  return steps.map(({ name, kind, filters }, i) => ({
    name: name || nameOfStep(kind, i),
    event_type: kind,
    ...(filters.length > 0 && {
      filters: Object.fromEntries(filters.map(({ field, value }) => [field, value])),
    }),
  }))
}

const nameOfStep = (kind: string, i: number): string =>
  words.analytics.kinds[kind] ?? words.analytics.funnel.step(i + 1)

export const replaced = <T>(list: T[], place: number, by: T): T[] =>
  list.map((one, i) => (i === place ? by : one))

export const without = <T>(list: T[], place: number): T[] => list.filter((_, i) => i !== place)

export function swapped<T>(list: T[], one: number, other: number): T[] {
  return list.map((item, i) => (i === one ? list[other]! : i === other ? list[one]! : item))
}

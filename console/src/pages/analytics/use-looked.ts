import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type Looked, readLooked } from './range.ts'

type Changes = Record<string, unknown>

export interface Address {
  looked: Looked
  search: Record<string, unknown>
  /** Changes some of what the address says; undefined takes a part away. */
  change(changes: Changes, isStep?: boolean): void
}

/** What is looked at is in the address, so that it outlives a reload and can be sent to somebody. */
export function useLooked(): Address {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const text = JSON.stringify(search)
  const looked = useMemo(() => readLooked(JSON.parse(text)), [text])
  return {
    looked,
    search,
    change: (changes, isStep = true) =>
      void navigate({
        to: '.',
        search: ((before: Changes) => ({ ...before, ...changes })) as never,
        replace: !isStep,
        resetScroll: false,
      }),
  }
}

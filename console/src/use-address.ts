import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = Record<string, unknown>

interface Address {
  search: Search
  /** Changes some of what the address says; undefined takes a part away. A step can be gone back from. */
  change(changes: Search, isStep?: boolean): void
}

/** What is looked at is in the address, so that it outlives a reload and can be sent to somebody. */
export function useAddress(): Address {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  return {
    search,
    change: (changes, isStep = true) =>
      void navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, ...changes })) as never,
        replace: !isStep,
        resetScroll: false,
      }),
  }
}

import { useCallback } from 'react'
import { useAddress } from './use-address.ts'

/** Of a list: what the address names as `item` is brought into sight, and marked. */
export function useNamed() {
  const { search } = useAddress()
  const named = typeof search.item === 'string' ? search.item : undefined
  const ref = useCallback(
    (row: HTMLElement | null) => {
      if (!named || !row) return
      row.scrollIntoView({ block: 'center' })
      row.focus({ preventScroll: true })
    },
    [named],
  )
  const rowOf = (id: string) =>
    id === named ? { ref, tabIndex: -1, 'aria-current': true, 'data-named': true } : {}
  return { named, rowOf }
}

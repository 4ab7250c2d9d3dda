import { useMemo, useRef, useState } from 'react'
import type { MediaItem } from './media-list.ts'

const NONE: ReadonlySet<string> = new Set()

export interface Selection {
  ids: ReadonlySet<string>
  toggle(index: number): void
  /** From where the last one was chosen, or else from `start`, to here; what was chosen before that stays. */
  extendTo(index: number, start: number): void
  all(): void
  clear(): void
}

export function useSelection(items: readonly MediaItem[]): Selection {
  const [ids, setIds] = useState(NONE)
  const latest = useRef({ items, ids })
  latest.current = { items, ids }
  /** Where a range begins, and what was chosen beside it. */
  const anchor = useRef<{ index: number; beside: ReadonlySet<string> }>(undefined)
  return useMemo(
    () => ({
      ids,
      toggle(index) {
        const { items, ids } = latest.current
        const id = items[index]?.id
        if (!id) return
        const next = new Set(ids)
        if (!next.delete(id)) next.add(id)
        anchor.current = { index, beside: next }
        setIds(next)
      },
      extendTo(index, start) {
        const { items, ids } = latest.current
        anchor.current ??= { index: start, beside: ids }
        const [from, to] = [anchor.current.index, index].sort((a, b) => a - b) as [number, number]
        setIds(new Set([...anchor.current.beside, ...items.slice(from, to + 1).map(({ id }) => id)]))
      },
      all: () => setIds(new Set(latest.current.items.map(({ id }) => id))),
      clear() {
        anchor.current = undefined
        setIds(NONE)
      },
    }),
    [ids],
  )
}

import { startTransition, useMemo, useRef, useState } from 'react'
import { afterPaint } from '../../after-paint.ts'
import type { MediaItem } from './media-list.ts'

const NONE: ReadonlySet<string> = new Set()

export interface Selection {
  /** As they are shown. */
  ids: ReadonlySet<string>
  /** As they are, a frame before they are shown: what is done with them is done with these. */
  now(): ReadonlySet<string>
  toggle(index: number): void
  /** From where the last one was chosen, or else from `start`, to here; what was chosen before that stays. */
  extendTo(index: number, start: number): void
  all(): void
  clear(): void
}

export function useSelection(items: readonly MediaItem[]): Selection {
  const [ids, setIds] = useState(NONE)
  const latest = useRef({ items, ids })
  latest.current.items = items
  /** Where a range begins, and what was chosen beside it. */
  const anchor = useRef<{ index: number; beside: ReadonlySet<string> }>(undefined)
  function choose(ids: ReadonlySet<string>): void {
    latest.current.ids = ids
    // The boxes of a whole screen and the bar that come with the first one would hold up the mark that was asked for.
    afterPaint(() => startTransition(() => setIds(ids)))
  }
  return useMemo(
    () => ({
      ids,
      now: () => latest.current.ids,
      toggle(index) {
        const { items, ids } = latest.current
        const id = items[index]?.id
        if (!id) return
        const next = new Set(ids)
        if (!next.delete(id)) next.add(id)
        anchor.current = { index, beside: next }
        choose(next)
      },
      extendTo(index, start) {
        const { items, ids } = latest.current
        anchor.current ??= { index: start, beside: ids }
        const [from, to] = [anchor.current.index, index].sort((a, b) => a - b) as [number, number]
        choose(new Set([...anchor.current.beside, ...items.slice(from, to + 1).map(({ id }) => id)]))
      },
      all: () => choose(new Set(latest.current.items.map(({ id }) => id))),
      clear() {
        anchor.current = undefined
        choose(new Set())
      },
    }),
    [ids],
  )
}

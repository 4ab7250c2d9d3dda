import type { AnyRouter } from '@tanstack/react-router'
import { useRouterState } from '@tanstack/react-router'
import { useLayoutEffect, useSyncExternalStore } from 'react'
import styles from './under-way.module.css'
import { words } from './words.ts'

/** How much is being loaded that somebody has asked for. */
let count = 0
const listeners = new Set<() => void>()

function add(change: 1 | -1): void {
  count += change
  for (const listener of listeners) listener()
}

/** Shows that something is loaded, until it is there or has failed. */
export function underWay<Loaded>(loading: Promise<Loaded>): Promise<Loaded> {
  add(1)
  return loading.finally(() => add(-1))
}

/** In the place of what is loaded when it is first opened, which has no place on the page of its own. */
export function UnderWay() {
  useLayoutEffect(() => {
    add(1)
    return () => add(-1)
  }, [])
  return null
}

/** A thin line above everything while the next page, or what was just opened, is on its way. */
export function ProgressLine({ router }: { router: AnyRouter }) {
  const isLoading = useRouterState({ router, select: (state) => state.isLoading })
  const isUnderWay = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => count > 0,
  )
  if (!isLoading && !isUnderWay) return null
  return <div className={styles.line} role="progressbar" aria-label={words.common.loading} />
}

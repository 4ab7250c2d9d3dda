import { useEffect, useRef } from 'react'
import type { IconName } from './components/icons.tsx'

/** Something that can be done on the page one is on, as the palette offers it. */
export interface PageCommand {
  id: string
  title: string
  icon: IconName
  /** What else it may be looked for by. */
  also?: string
  /** The keys that do the same. */
  keys?: string
  run: () => void
}

/** Nothing, where it cannot be done now. */
type Offered = PageCommand | false | undefined

const shown = new Set<{ current: readonly Offered[] }>()

/** Told by whatever has the button for it, for as long as it is shown: what somebody may not do has no button. */
export function usePageCommands(commands: readonly Offered[]): void {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    shown.add(latest)
    return () => {
      shown.delete(latest)
    }
  }, [])
}

export const pageCommands = (): PageCommand[] =>
  [...shown].flatMap(({ current }) => current).filter((command) => !!command)

import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import { underWay } from '../under-way.tsx'
import type { ItemProps, SectionProps } from './menu-popup.tsx'

type Popup = typeof import('./menu-popup.tsx')

/**
 * What shows menus is as large as the rest of a page, and comes once somebody is about to open one. Not as a lazy
 * component: what such a one suspends is shown a third of a second after it is there.
 */
let popup: Popup | undefined
const load = async (): Promise<void> => {
  popup ??= await import('./menu-popup.tsx')
}

export const MenuItem = (props: ItemProps) => popup && <popup.MenuItem {...props} />
export const MenuSection = (props: SectionProps) => popup && <popup.MenuSection {...props} />

/** A button, and what can be chosen by it. `trigger` is the button itself. */
export function Menu({
  trigger,
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
}) {
  const [isWanted, setWanted] = useState(false)
  if (isWanted && popup) return <popup.MenuPopup trigger={trigger}>{children}</popup.MenuPopup>
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: load,
    onFocus: load,
    onClick: () =>
      void underWay(load()).then(
        () => setWanted(true),
        // Where it cannot be loaded, the page says so.
        (error) =>
          setWanted(() => {
            throw error
          }),
      ),
  })
}

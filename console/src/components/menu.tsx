import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'

const load = () => import('./menu-popup.tsx')
const Popup = lazy(() => load().then(({ MenuPopup }) => ({ default: MenuPopup })))

export const MenuItem = lazy(() => load().then((popup) => ({ default: popup.MenuItem })))
export const MenuSection = lazy(() => load().then((popup) => ({ default: popup.MenuSection })))

/**
 * A button, and what can be chosen by it. `trigger` is the button itself. What shows menus is as large as the rest of a
 * page, and comes once somebody is about to open one.
 */
export function Menu({
  trigger,
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
}) {
  const [isWanted, setWanted] = useState(false)
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': isWanted,
    onPointerEnter: load,
    onFocus: load,
    onClick: () => setWanted(true),
  })
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Popup trigger={trigger}>{children}</Popup>
    </Suspense>
  )
}

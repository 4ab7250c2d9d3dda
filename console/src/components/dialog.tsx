import { useEffect, useState } from 'react'
import { underWay } from '../under-way.tsx'
import type { DialogProps } from './dialog-popup.tsx'

type Popup = typeof import('./dialog-popup.tsx')

/** What dialogs are made of is a sixth of a page, and comes with the first that is opened; as with menus, not as a lazy component. */
let popup: Popup | undefined

export function Dialog(props: DialogProps) {
  const isWanted = props.isOpen && !popup
  const [, setLoaded] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    underWay(import('./dialog-popup.tsx')).then(
      (loaded) => {
        popup = loaded
        setLoaded(true)
      },
      // Where it cannot be loaded, the page says so.
      (error) =>
        setLoaded(() => {
          throw error
        }),
    )
  }, [isWanted])
  return popup ? <popup.DialogPopup {...props} /> : null
}

import { useEffect, useRef } from 'react'
import { isPageCovered } from '../page-covered.ts'
import { pressedOf, type ShortcutId, shortcutOf } from './shortcuts.ts'

const WRITING = 'textarea, select, [contenteditable], [role="menu"], input:not([type="checkbox"])'
/** How long the second of two keys is waited for. */
const WAIT_MS = 1500

/** An answer of false leaves the key to whatever else wants it. */
type Handlers = { [Id in ShortcutId]?: () => unknown }

/** Keys that work wherever the focus is, unless somebody writes or something is open above the page. */
export function useShortcuts(handlers: Handlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  useEffect(() => {
    let before = { key: '', at: 0 }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented) return
      const isCovered = isPageCovered()
      const key = pressedOf(event)
      const isWriting = (event.target as HTMLElement).closest?.(WRITING)
      const ids = Object.keys(latest.current) as ShortcutId[]
      const find = (wanted: string) =>
        ids.find((id) => {
          const { keys, isAlways, isAbove } = shortcutOf(id)
          return keys.includes(wanted) && (!isWriting || isAlways) && (!isCovered || isAbove)
        })
      const isSoon = event.timeStamp - before.at < WAIT_MS
      const id = (isSoon && find(`${before.key} ${key}`)) || find(key)
      before = isWriting ? { key: '', at: 0 } : { key, at: event.timeStamp }
      if (id && latest.current[id]?.() !== false) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

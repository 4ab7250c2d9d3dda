import { useEffect, useRef } from 'react'
import { pressedOf, type ShortcutId, shortcutOf } from './shortcuts.ts'

/** What is open above the page. Notes at its edge are not. */
const ABOVE = '[role="dialog"]:not([aria-modal="false"])'
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
      if (event.defaultPrevented || document.querySelector(ABOVE)) return
      const key = pressedOf(event)
      const isWriting = (event.target as HTMLElement).closest?.(WRITING)
      const ids = Object.keys(latest.current) as ShortcutId[]
      const find = (keys: string) =>
        ids.find((id) => shortcutOf(id).keys.includes(keys) && (!isWriting || shortcutOf(id).isAlways))
      const isSoon = event.timeStamp - before.at < WAIT_MS
      const id = (isSoon && find(`${before.key} ${key}`)) || find(key)
      before = isWriting ? { key: '', at: 0 } : { key, at: event.timeStamp }
      if (id && latest.current[id]?.() !== false) event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

import { type RefObject, useEffect, useRef } from 'react'
import type { Selection } from './use-selection.ts'

/** What is open above the page. Notes at its edge are not. */
const ABOVE = '[role="dialog"]:not([aria-modal="false"])'

interface LibraryKeys {
  searchInput: RefObject<HTMLInputElement | null>
  selection: Selection
  canSelect: boolean
  onDelete(): void
}

/** Keys that work wherever the focus is, unless somebody writes or something is open above the page. */
export function useLibraryKeys(keys: LibraryKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { searchInput, selection, canSelect, onDelete } = latest.current
      const target = event.target as HTMLElement
      const isElsewhere = target.closest('textarea, select, [role="menu"], input:not([type="checkbox"])')
      if (event.defaultPrevented || isElsewhere || document.querySelector(ABOVE)) return
      const isCommand = event.ctrlKey || event.metaKey
      if (event.key === '/' && !isCommand) searchInput.current?.focus()
      else if (event.key === 'a' && isCommand && canSelect) selection.all()
      else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear()
      else if (event.key === 'Delete' && selection.ids.size > 0) onDelete()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

import { type RefObject, useLayoutEffect } from 'react'

const isInDialog = () => document.activeElement?.matches('[role=dialog] input')

/** Keeps what is typed before there is anything to type into, and from the page that would take it for shortcuts. */
export function TypedEarly({ typed }: { typed: RefObject<string> }) {
  useLayoutEffect(() => {
    typed.current = ''
    const keep = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey } = event
      if (altKey || ctrlKey || metaKey || key.length > 1 || isInDialog()) return
      typed.current += key
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', keep, { capture: true })
    return () => window.removeEventListener('keydown', keep, { capture: true })
  }, [typed])
  return null
}

import { useEffect, useRef, useState } from 'react'

/** Files may be dropped anywhere on the page. Tells whether somebody holds some above it. */
export function useDrop(onDrop: ((transfer: DataTransfer) => void) | undefined): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  const isOn = onDrop !== undefined
  useEffect(() => {
    if (!isOn) return
    /** Each element that is entered and left on the way says so. */
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const on = {
      dragenter(event: DragEvent) {
        if (!hasFiles(event)) return
        depth++
        setOver(true)
      },
      dragleave(event: DragEvent) {
        if (!hasFiles(event)) return
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      },
      dragover(event: DragEvent) {
        if (hasFiles(event)) event.preventDefault()
      },
      drop(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        depth = 0
        setOver(false)
        latest.current?.(event.dataTransfer!)
      },
    }
    const names = Object.keys(on) as (keyof typeof on)[]
    for (const name of names) addEventListener(name, on[name])
    return () => {
      for (const name of names) removeEventListener(name, on[name])
    }
  }, [isOn])
  return isOver
}

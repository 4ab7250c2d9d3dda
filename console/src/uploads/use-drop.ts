import { useEffect, useRef, useState } from 'react'
import { isPageCovered } from '../page-covered.ts'
import { isFileDrag } from './file-drops.ts'

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
    const isMeant = (event: DragEvent) => isFileDrag(event) && !isPageCovered()
    const on = {
      dragenter(event: DragEvent) {
        if (!isMeant(event)) return
        depth++
        setOver(true)
      },
      dragleave(event: DragEvent) {
        if (!isMeant(event)) return
        depth = Math.max(0, depth - 1)
        if (depth === 0) setOver(false)
      },
      dragover(event: DragEvent) {
        if (!isMeant(event)) return
        event.preventDefault()
        event.dataTransfer!.dropEffect = 'copy'
      },
      drop(event: DragEvent) {
        depth = 0
        setOver(false)
        if (!isMeant(event)) return
        event.preventDefault()
        latest.current?.(event.dataTransfer!)
      },
    }
    const names = Object.keys(on) as (keyof typeof on)[]
    // Before what keeps files from being opened, which leaves alone what is taken.
    for (const name of names) addEventListener(name, on[name], { capture: true })
    return () => {
      for (const name of names) removeEventListener(name, on[name], { capture: true })
    }
  }, [isOn])
  return isOver
}

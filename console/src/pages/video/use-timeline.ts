import type { MarqueePlayer } from '@marquee/player'
import { useEffect, useRef, useState } from 'react'

/** As the player has it at its edges before it is seen. */
const USUAL = { left: 16, right: 16 }

/** How far the player's own timeline is from its edges, so that what is below is exactly as wide. */
export function useTimelineInset(element: MarqueePlayer | null): { left: number; right: number } {
  const [inset, setInset] = useState(USUAL)
  useEffect(() => {
    const timeline = element?.shadowRoot?.querySelector('[part=timeline]')
    if (!element || !timeline) return
    const measure = () => {
      const inner = timeline.getBoundingClientRect()
      if (inner.width === 0) return
      const outer = element.getBoundingClientRect()
      // Across the whole screen, nothing is below it.
      if (document.fullscreenElement) return
      setInset({ left: inner.left - outer.left, right: outer.right - inner.right })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(timeline)
    return () => observer.disconnect()
  }, [element])
  return inset
}

/** Tells where it plays: with each picture while it plays, otherwise when that changes. */
export function usePlayhead(
  element: MarqueePlayer | null,
  duration: number,
  show: (time: number, share: number) => void,
): void {
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    const media = element?.media
    if (!media) return
    let frame = 0
    const tell = () => latest.current(media.currentTime, Math.min(media.currentTime / duration, 1))
    const go = () => {
      tell()
      cancelAnimationFrame(frame)
      if (!media.paused) frame = requestAnimationFrame(go)
    }
    const names = ['play', 'playing', 'pause', 'seeking', 'seeked', 'timeupdate', 'ended']
    for (const name of names) media.addEventListener(name, go)
    go()
    return () => {
      cancelAnimationFrame(frame)
      for (const name of names) media.removeEventListener(name, go)
    }
  }, [element, duration])
}

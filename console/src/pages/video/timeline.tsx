import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatShare } from '../../format.ts'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { formatTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import styles from './timeline.module.css'
import { usePlayhead, useTimelineInset } from './use-timeline.ts'

export interface Heat {
  parts: number[]
  hot: { start_second: number; end_second: number; multiplier: number }[]
}

interface TimelineProps {
  duration: number
  playback: Playback
  heat: Heat | undefined
  /** What is said in the place of the chart. */
  note?: string | undefined
  /** More lanes on the same time. */
  children?: ReactNode
}

/** What was watched, under the player's own timeline and as wide as it. */
export function Timeline({ duration, playback, heat, note, children }: TimelineProps) {
  const inset = useTimelineInset(playback.element)
  const lanes = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<number>()
  usePlayhead(playback.element, duration, (time, share) => {
    if (head.current) head.current.style.left = `${share * 100}%`
    slider.current?.setAttribute('aria-valuenow', String(Math.round(time)))
    slider.current?.setAttribute('aria-valuetext', formatTimecode(time))
  })
  useEffect(() => {
    slider.current?.setAttribute('aria-valuenow', '0')
  }, [])

  const timeAt = (event: PointerEvent): number => {
    const { left, width } = lanes.current!.getBoundingClientRect()
    return Math.min(Math.max((event.clientX - left) / width, 0), 1) * duration
  }
  const press = (event: KeyboardEvent) => {
    const now = playback.time()
    if (isPressed(event, 'seekStart')) playback.seek(0)
    else if (isPressed(event, 'seekEnd')) playback.seek(duration)
    else if (isPressed(event, 'seekBack')) playback.seek(Math.max(now - STEP, 0))
    else if (isPressed(event, 'seekOn')) playback.seek(Math.min(now + STEP, duration))
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.timeline} style={{ marginInline: `${inset.left}px ${inset.right}px` }} ref={lanes}>
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={words.video.timeline}
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={0}
        className={styles.chart}
        onKeyDown={press}
        onPointerMove={(event) => setHover(timeAt(event))}
        onPointerLeave={() => setHover(undefined)}
        onClick={(event) => playback.seek(timeAt(event as never))}
      >
        {heat && !note && <HeatChart heat={heat} duration={duration} />}
        {note && (
          <p className={styles.note}>
            <span>{note}</span>
          </p>
        )}
      </div>
      <div ref={head} className={styles.head} />
      {children}
      {hover !== undefined && (
        <div
          className={styles.hover}
          style={{ left: `clamp(48px, ${(hover / duration) * 100}%, calc(100% - 48px))` }}
        >
          {heat && !note
            ? words.video.at(formatTimecode(hover), formatShare(shareAt(heat.parts, hover / duration)))
            : formatTimecode(hover)}
        </div>
      )}
    </div>
  )
}

const STEP = 5

const shareAt = (parts: number[], place: number): number =>
  parts[Math.min(Math.floor(place * parts.length), parts.length - 1)] ?? 0

const HEIGHT = 100

/** An area over the parts, and a stronger one where it is watched most. */
function HeatChart({ heat, duration }: { heat: Heat; duration: number }) {
  const { parts, hot } = heat
  const most = Math.max(1, ...parts)
  const y = (share: number) => HEIGHT - (share / most) * (HEIGHT - 8)
  const middles = parts.map((share, i) => `L${i + 0.5},${y(share)}`).join('')
  const line = `M0,${y(parts[0] ?? 0)}${middles}L${parts.length},${y(parts.at(-1) ?? 0)}`
  const area = `${line}L${parts.length},${HEIGHT}L0,${HEIGHT}Z`
  return (
    <svg viewBox={`0 0 ${parts.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={area} className={styles.area} />
      {hot.map(({ start_second, end_second }) => (
        <svg
          key={start_second}
          x={(start_second / duration) * parts.length}
          width={((Math.min(end_second, duration) - start_second) / duration) * parts.length}
          height={HEIGHT}
          viewBox={[
            (start_second / duration) * parts.length,
            0,
            ((Math.min(end_second, duration) - start_second) / duration) * parts.length,
            HEIGHT,
          ].join(' ')}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path d={area} className={styles.hot} />
        </svg>
      ))}
      <path d={line} className={styles.line} />
    </svg>
  )
}

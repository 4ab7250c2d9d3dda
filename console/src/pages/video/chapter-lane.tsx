import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { formatTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import { between, withStart } from './chapter-edits.ts'
import styles from './chapter-lane.module.css'
import type { Chapter } from './queries.ts'

interface LaneProps {
  chapters: Chapter[]
  duration: number
  /** Left out where they may not be changed. */
  onChange?: ((chapters: Chapter[]) => void) | undefined
}

/** The chapters along the timeline. Their beginnings are pulled, or moved by arrow keys. */
export function ChapterLane({ chapters, duration, onChange }: LaneProps) {
  const lane = useRef<HTMLDivElement>(null)
  const [pulled, setPulled] = useState<{ index: number; start: number }>()
  const shown = pulled ? withStart(chapters, pulled.index, pulled.start, duration) : chapters
  if (chapters.length === 0) return null

  const startAt = (event: PointerEvent, index: number) => {
    const { left, width } = lane.current!.getBoundingClientRect()
    return between(chapters, index, ((event.clientX - left) / width) * duration, duration)
  }
  const press = (event: KeyboardEvent, index: number) => {
    const sign = isPressed(event, 'chapterOn') ? 1 : isPressed(event, 'chapterBack') ? -1 : 0
    if (sign === 0) return
    const step = sign * (event.shiftKey ? 0.1 : 1)
    event.preventDefault()
    const start = between(chapters, index, chapters[index]!.start_time_sec + step, duration)
    onChange?.(withStart(chapters, index, start, duration))
  }
  const drop = () => {
    if (pulled && pulled.start !== chapters[pulled.index]!.start_time_sec) onChange?.(shown)
    setPulled(undefined)
  }

  return (
    <div className={styles.lane} ref={lane}>
      {shown.map(({ title, start_time_sec: start, end_time_sec: end }, i) => (
        <div
          key={i}
          className={styles.chapter}
          style={{ left: `${(start / duration) * 100}%`, width: `${((end - start) / duration) * 100}%` }}
        >
          <span title={title}>{title}</span>
          {onChange && (
            <div
              role="slider"
              tabIndex={0}
              className={styles.handle}
              aria-label={words.video.moveChapter(title)}
              aria-valuemin={0}
              aria-valuemax={Math.round(duration)}
              aria-valuenow={start}
              aria-valuetext={formatTimecode(start)}
              onKeyDown={(event) => press(event, i)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId)
                setPulled({ index: i, start })
              }}
              onPointerMove={(event) => pulled && setPulled({ index: i, start: startAt(event, i) })}
              onPointerUp={drop}
              onPointerCancel={() => setPulled(undefined)}
            >
              {pulled?.index === i && <output className={styles.time}>{formatTimecode(start)}</output>}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}

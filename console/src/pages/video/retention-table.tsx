import type { Data } from '../../csv.ts'
import { formatNumber, formatShare } from '../../format.ts'
import { formatTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import styles from './retention.module.css'
import type { Heat } from './timeline.tsx'

const MOST_ROWS = 20

/** A part of the video: from when to when, how often it was watched, and how hot it is where it is. */
interface Part {
  start: number
  end: number
  share: number
  heat: number | undefined
}

/** As many parts as `most`, several of those that are known in one where there are more. */
function partsOf({ parts, hot }: Heat, duration: number, most: number): Part[] {
  const size = Math.ceil(parts.length / most)
  const length = duration / parts.length
  return Array.from({ length: Math.ceil(parts.length / size) }, (_, i) => {
    const some = parts.slice(i * size, (i + 1) * size)
    const start = i * size * length
    const end = start + some.length * length
    return {
      start,
      end,
      share: some.reduce((sum, share) => sum + share, 0) / some.length,
      heat: hot.find(({ start_second, end_second }) => start_second < end && end_second > start)?.multiplier,
    }
  })
}

interface RetentionTableProps {
  heat: Heat
  duration: number
  onSeek: (time: number) => void
}

export function RetentionTable({ heat, duration, onSeek }: RetentionTableProps) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{words.video.part}</th>
          <th scope="col">{words.video.share}</th>
          <th scope="col">{words.video.hot}</th>
        </tr>
      </thead>
      <tbody>
        {partsOf(heat, duration, MOST_ROWS).map(({ start, end, share, heat: times }) => (
          <tr key={start}>
            <th scope="row">
              <button type="button" onClick={() => onSeek(start)}>
                {formatTimecode(start)}–{formatTimecode(end)}
              </button>
            </th>
            <td>{formatShare(share)}</td>
            <td>{times && words.video.times(formatNumber(Math.round(times * 10) / 10))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Every part that is known, in seconds and as parts of one. */
export function dataOf(heat: Heat, duration: number): Data {
  const rows = partsOf(heat, duration, heat.parts.length)
  return {
    columns: [
      { label: words.video.partStart },
      { label: words.video.partEnd },
      { label: words.video.share },
      { label: words.video.hot },
    ],
    rows: rows.map(({ start, end, share, heat: times }) => [start, end, share, times ?? '']),
  }
}

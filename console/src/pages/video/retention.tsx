import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { formatNumber, formatShare, formatTimecode } from '../../format.ts'
import { usePermission } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import { heatQuery } from './queries.ts'
import styles from './retention.module.css'
import { type Heat, Timeline } from './timeline.tsx'
import { useVideo } from './use-video.ts'

interface RetentionProps {
  duration: number
  playback: Playback
  /** Lanes below the chart. */
  children: ReactNode
}

/** How much of the video is watched: under the player, or as a table. */
export function Retention({ duration, playback, children }: RetentionProps) {
  const { of } = useVideo()
  const may = usePermission()
  const isAllowed = may('analytics:read')
  const { data: heat, error, refetch } = useQuery({ ...heatQuery(of, duration), enabled: isAllowed })
  const { retention } = useSearch({ strict: false }) as { retention?: string }
  const navigate = useNavigate()
  const isTable = retention === 'table'
  const isNever = heat?.parts.every((share) => share === 0)
  const show = (next?: string) =>
    navigate({
      to: '.',
      search: ((all: object) => ({ ...all, retention: next })) as never,
      replace: true,
      resetScroll: false,
    })
  return (
    <div className={styles.retention}>
      <Timeline
        duration={duration}
        playback={playback}
        heat={heat}
        note={isNever ? words.video.neverWatched : undefined}
      >
        {children}
      </Timeline>
      {isAllowed && (
        <div className={styles.caption}>
          <p>
            <b>{words.video.retention}</b> <span>{words.video.retentionHint}</span>
          </p>
          {heat && heat.hot.length > 0 && <p className={styles.hot}>{words.video.hot}</p>}
          {heat && !isNever && (
            <Button kind="quiet" aria-pressed={isTable} onClick={() => show(isTable ? undefined : 'table')}>
              {words.common.asTable}
            </Button>
          )}
        </div>
      )}
      {error && <Failure error={error} reset={() => refetch()} />}
      {isTable && heat && <RetentionTable heat={heat} duration={duration} onSeek={playback.seek} />}
    </div>
  )
}

const MOST_ROWS = 20

function RetentionTable({
  heat: { parts, hot },
  duration,
  onSeek,
}: {
  heat: Heat
  duration: number
  onSeek: (time: number) => void
}) {
  const size = Math.ceil(parts.length / MOST_ROWS)
  const length = duration / parts.length
  const rows = Array.from({ length: Math.ceil(parts.length / size) }, (_, i) => {
    const some = parts.slice(i * size, (i + 1) * size)
    const start = i * size * length
    return {
      start,
      end: start + some.length * length,
      share: some.reduce((sum, share) => sum + share, 0) / some.length,
    }
  })
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
        {rows.map(({ start, end, share }) => {
          const hottest = hot.find(({ start_second, end_second }) => start_second < end && end_second > start)
          return (
            <tr key={start}>
              <th scope="row">
                <button type="button" onClick={() => onSeek(start)}>
                  {formatTimecode(start)}–{formatTimecode(end)}
                </button>
              </th>
              <td>{formatShare(share)}</td>
              <td>{hottest && words.video.times(formatNumber(Math.round(hottest.multiplier * 10) / 10))}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

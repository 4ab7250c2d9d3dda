import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { RangeBar } from '../../components/range-bar.tsx'
import { download } from '../../csv.ts'
import { readRange } from '../../range.ts'
import { usePermission } from '../../session/use-project.ts'
import { useAddress } from '../../use-address.ts'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import { heatQuery } from './queries.ts'
import styles from './retention.module.css'
import { dataOf, RetentionTable } from './retention-table.tsx'
import { Timeline } from './timeline.tsx'
import { useVideo } from './use-video.ts'

interface RetentionProps {
  duration: number
  playback: Playback
  /** Lanes below the chart. */
  children: ReactNode
}

const RANGES = ['7d', '28d', '90d', 'all', 'custom'] as const

/** How much of the video is watched: under the player, as a table, or as a file. */
export function Retention({ duration, playback, children }: RetentionProps) {
  const { of } = useVideo()
  const may = usePermission()
  const isAllowed = may('analytics:read')
  const { search, change } = useAddress()
  const range = readRange(search, RANGES)
  const { data: heat, error, refetch } = useQuery({ ...heatQuery(of, duration, range), enabled: isAllowed })
  const isTable = search.retention === 'table'
  const isNever = heat?.parts.every((share) => share === 0)
  const isDrawn = heat && !isNever
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
        <section className={styles.caption} aria-label={words.video.retention}>
          <p className={styles.title}>
            <b>{words.video.retention}</b> <span>{words.video.retentionHint}</span>
            {heat && heat.hot.length > 0 && <span className={styles.hot}>{words.video.hot}</span>}
          </p>
          <RangeBar range={range} ranges={RANGES} />
          <div className={styles.actions}>
            <Button
              kind="quiet"
              aria-pressed={isTable}
              disabled={!isDrawn}
              onClick={() => change({ retention: isTable ? undefined : 'table' }, false)}
            >
              {words.common.asTable}
            </Button>
            <Button
              kind="quiet"
              aria-label={words.analytics.csv(words.video.retention)}
              disabled={!isDrawn}
              onClick={() => heat && download(`retention-${of.videoId}`, dataOf(heat, duration))}
            >
              {words.common.asCsv}
            </Button>
          </div>
        </section>
      )}
      {error && <Failure error={error} reset={() => refetch()} />}
      {isTable && isDrawn && <RetentionTable heat={heat} duration={duration} onSeek={playback.seek} />}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import { cuesQuery, type Track } from './queries.ts'
import styles from './tracks.module.css'
import { usePlayhead } from './use-timeline.ts'
import { useOpening, useVideo } from './use-video.ts'

/** What subtitles say, to be read; a click plays from there. */
export function Cues({ track, playback }: { track: Track; playback: Playback }) {
  const { of } = useVideo()
  const { token, isOpen } = useOpening()
  const { data: cues, error, refetch } = useQuery({ ...cuesQuery(of, track, token), enabled: isOpen })
  const [current, setCurrent] = useState(-1)
  usePlayhead(playback.element, 1, (time) => {
    setCurrent(cues?.findIndex(({ start, end }) => start <= time && time < end) ?? -1)
  })
  if (error) return <Failure error={error} reset={() => refetch()} />
  if (!cues) return <Skeleton height="120px" />
  if (cues.length === 0) return <p className={styles.soft}>{words.video.noCues}</p>
  return (
    <ol className={styles.cues} aria-label={words.video.cues(track.label)}>
      {cues.map(({ start, text }, i) => (
        <li key={i}>
          <button
            type="button"
            aria-current={i === current || undefined}
            onClick={() => playback.seek(start)}
          >
            <span>{formatTimecode(start)}</span>
            <span lang={track.language_code}>{text}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

import { follow, type Schemas } from '@marquee/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Section } from '../../components/section.tsx'
import { formatShare } from '../../format.ts'
import { words } from '../../words.ts'
import styles from './progress.module.css'
import { videoQuery } from './queries.ts'
import { useVideo } from './use-video.ts'

type VideoProgress = Schemas['VideoProgress']

/** How much of a video is made, told by the service each time that it is more. */
function useProgress(): VideoProgress | undefined {
  const { of, client, videoId } = useVideo()
  const queries = useQueryClient()
  const [progress, setProgress] = useState<VideoProgress>()
  const { queryKey } = videoQuery(of)
  useEffect(() => {
    const ended = new AbortController()
    const hear = async () => {
      let last: VideoProgress['status'] | undefined
      for await (const one of follow(client, videoId, { signal: ended.signal })) {
        setProgress(one)
        if (last === 'processing' && one.status !== 'processing') queries.invalidateQueries({ queryKey })
        last = one.status
      }
    }
    // Without it the page lacks nothing but the bars.
    hear().catch(() => {})
    return () => ended.abort()
  }, [client, videoId, queries])
  return progress
}

/** Each rung of the ladder with its segments, while there are some to make. */
export function Progress() {
  const progress = useProgress()
  if (!progress || (progress.status === 'complete' && !progress.notes?.length)) return null
  const { status, reason, notes = [], percent, renditions } = progress
  const isFailed = status === 'failed'
  return (
    <Section
      title={isFailed ? words.video.makingFailed : words.video.making}
      actions={status === 'processing' && <b>{formatShare(percent / 100)}</b>}
    >
      {isFailed ? <p className={styles.failed}>{reason}</p> : null}
      {status === 'processing' && <p className={styles.soft}>{words.video.makingHint}</p>}
      {notes.map((note) => (
        <p key={note} className={styles.soft}>
          {note}
        </p>
      ))}
      {status !== 'complete' && (
        <ul className={styles.rungs}>
          {renditions.map(({ name, kind, height = 0, segments_made, segments, language_code }) => (
            <li key={name}>
              <span>{kind === 'video' ? words.video.rung(height) : words.video.soundIn(language_code)}</span>
              <progress aria-label={name} value={segments_made} max={segments} />
              <span className={styles.soft}>{words.video.segments(segments_made, segments)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

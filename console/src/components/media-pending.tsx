import { isStatus } from '../api.ts'
import { words } from '../words.ts'
import { Failure } from './failure.tsx'
import { MediaHeader } from './media-header.tsx'
import styles from './media-pending.module.css'
import { NotFound } from './not-found.tsx'
import { Page } from './page.tsx'
import { Columns } from './section.tsx'
import { Skeleton } from './skeleton.tsx'

interface MediaPendingProps {
  kind: 'video' | 'image'
  error: unknown
  onRetry: () => void
}

/** The page of a video or an image that is not there yet, or not to be had. */
export function MediaPending({ kind, error, onRetry }: MediaPendingProps) {
  const title = words.library[kind]
  if (isStatus(error, 404)) return <NotFound />
  if (error)
    return (
      <Page title={title} heading={<MediaHeader name={title} />}>
        <Failure error={error} reset={onRetry} />
      </Page>
    )
  return (
    <Page title={title} heading={<Skeleton width="40%" height="var(--target)" />}>
      <Columns
        main={<div className={styles.waiting} data-kind={kind} />}
        side={<Skeleton height="320px" />}
      />
    </Page>
  )
}

import { isStatus } from '../api.ts'
import { words } from '../words.ts'
import { Failure } from './failure.tsx'
import styles from './media-pending.module.css'
import { NotFound } from './not-found.tsx'
import { Page } from './page.tsx'
import { Columns } from './section.tsx'
import { Skeleton } from './skeleton.tsx'

interface MediaPendingProps {
  title: string
  kind: 'video' | 'image'
  error: unknown
  onRetry: () => void
}

/** The page of a video or an image that is not there yet, or not to be had. */
export function MediaPending({ title, kind, error, onRetry }: MediaPendingProps) {
  if (isStatus(error, 404)) return <NotFound />
  if (error)
    return (
      <Page title={title} heading={<h1 className="visually-hidden">{words.common.failed}</h1>}>
        <Failure error={error} reset={onRetry} />
      </Page>
    )
  return (
    <Page title={title} heading={<Skeleton width="40%" height="36px" />}>
      <Columns
        main={<div className={styles.waiting} data-kind={kind} />}
        side={<Skeleton height="320px" />}
      />
    </Page>
  )
}

import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { useProject } from '../../session/use-project.ts'
import { retryUpload } from '../../uploads/upload-manager.ts'
import { isUnderWay, type UploadEntry } from '../../uploads/upload-store.ts'
import { words } from '../../words.ts'
import { MediaLink } from './media-link.tsx'
import type { Newest } from './progress.ts'
import styles from './start-page.module.css'

const text = words.start.steps.upload

/** The last upload of a project that failed, unless another is under way. */
export function lastFailed(uploads: readonly UploadEntry[], projectId: string): UploadEntry | undefined {
  const own = uploads.filter((upload) => upload.projectId === projectId)
  return own.some(isUnderWay) ? undefined : own.filter(({ state }) => state === 'failed').at(-1)
}

interface UploadFailureProps {
  upload: UploadEntry | undefined
  /** It came, and could not be made anything of. */
  broken: Newest | undefined
}

/** Why the first upload is not there: it would be waited for without an end. */
export function UploadFailure({ upload, broken }: UploadFailureProps) {
  if (upload)
    return (
      <div className={styles.failure}>
        <p>{text.notUploaded(upload.name)}</p>
        <Problem error={upload.error} />
        <Button icon="retry" onClick={() => retryUpload(upload.id)}>
          {words.common.retry}
        </Button>
      </div>
    )
  return broken ? <Broken media={broken} /> : null
}

function Broken({ media }: { media: Newest }) {
  const { projectId } = useProject()
  return (
    <div className={styles.failure} role="alert">
      <p>{text.broken(media.name)}</p>
      <MediaLink projectId={projectId} media={media}>
        {text.look}
      </MediaLink>
    </div>
  )
}

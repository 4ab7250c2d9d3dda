import { useNotify } from '../components/toasts.tsx'
import { usePermission, useProject } from '../session/use-project.ts'
import { words } from '../words.ts'
import styles from './drop-zone.module.css'
import { droppedFiles } from './dropped-files.ts'
import { useDrop } from './use-drop.ts'

/** Files that are dropped on any page of a project are uploaded to it, by whoever may. */
export function DropZone() {
  const { projectId } = useProject()
  const may = usePermission()
  const notify = useNotify()

  async function take(transfer: DataTransfer): Promise<void> {
    // Asked at once: after the event nobody is told what was dropped.
    const dropped = droppedFiles(transfer)
    const { uploadFiles } = await import('./upload-manager.ts')
    const { files, leftOut } = await dropped
    uploadFiles(projectId, files)
    if (leftOut > 0) notify.done(words.uploads.leftOut(leftOut))
  }

  const isAllowed = may('videos:write') || may('images:write')
  const isOver = useDrop(
    isAllowed
      ? (transfer) => {
          take(transfer).catch((error) => notify.failed(words.uploads.unreadable, error))
        }
      : undefined,
  )
  return isOver ? (
    <div className={styles.over}>
      <p>{words.library.drop}</p>
      <p>{words.library.dropText}</p>
    </div>
  ) : null
}

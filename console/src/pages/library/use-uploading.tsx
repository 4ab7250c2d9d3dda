import { type ReactNode, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { type DroppedFiles, pickedFiles } from '../../uploads/dropped-files.ts'
import { uploadFiles } from '../../uploads/upload-manager.ts'
import { words } from '../../words.ts'
import styles from './library-page.module.css'

interface Uploading {
  /** Buttons of the page's head. */
  actions: ReactNode
  /** Opens the picker; nothing where nobody may upload. */
  choose: (() => void) | undefined
  chooseFolder: (() => void) | undefined
}

/** The ways in which files come in beside being dropped: by pickers. */
export function useUploading(): Uploading {
  const { projectId } = useProject()
  const may = usePermission()
  const notify = useNotify()
  const picker = useRef<HTMLInputElement>(null)
  const folderPicker = useRef<HTMLInputElement>(null)
  const isAllowed = may('videos:write') || may('images:write')

  function take({ files, leftOut }: DroppedFiles): void {
    uploadFiles(projectId, files)
    if (leftOut > 0) notify.done(words.uploads.leftOut(leftOut))
  }
  if (!isAllowed) return { actions: null, choose: undefined, chooseFolder: undefined }

  const choose = () => picker.current?.click()
  const chooseFolder = () => folderPicker.current?.click()
  const actions = (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept="video/*,image/*,.mkv,.heic"
        aria-label={words.library.choose}
        onChange={({ target }) => {
          take({ files: [...(target.files ?? [])], leftOut: 0 })
          target.value = ''
        }}
      />
      <input
        ref={(input) => {
          folderPicker.current = input
          input?.toggleAttribute('webkitdirectory', true)
        }}
        type="file"
        hidden
        aria-label={words.library.uploadFolder}
        onChange={({ target }) => {
          take(pickedFiles(target.files ?? []))
          target.value = ''
        }}
      />
      <Button className={styles.folder!} onClick={chooseFolder}>
        {words.library.uploadFolder}
      </Button>
      <Button kind="primary" icon="upload" onClick={choose}>
        {words.library.upload}
      </Button>
    </>
  )
  return { actions, choose, chooseFolder }
}

import { saveFile } from '../save-file.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './shown-once.module.css'

interface ShownOnceProps {
  title: string
  /** What it is, and what to do with it. */
  about: string
  /** Undefined: there is nothing to show. */
  text: string | undefined
  /** A line that tries it. */
  example?: string
  /** Of the file that it can be saved as. */
  fileName?: string
  onClose: () => void
}

/** A secret or a link that nobody can look up again: it goes away by its button alone. */
export function ShownOnce({ title, about, text, example, fileName, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      isOpen={text !== undefined}
      onClose={onClose}
      isKept
      actions={
        <>
          <CopyButton text={text ?? ''} label={words.common.copy} />
          {fileName && (
            <Button onClick={() => saveFile(fileName, new Blob([text ?? '']))}>
              {words.settings.download}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {words.settings.done}
          </Button>
        </>
      }
    >
      <p>{about}</p>
      <code className={styles.text} data-testid="shown-once">
        {text}
      </code>
      {example && (
        <div>
          <p className={styles.try}>{words.settings.tryIt}</p>
          <code className={styles.text}>{example}</code>
        </div>
      )}
    </Dialog>
  )
}

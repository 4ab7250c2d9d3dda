import { isStatus, messageOf, requestIdOf } from '../api.ts'
import { words } from '../words.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './problem.module.css'

/** What went wrong with what was just tried, in the form where it was tried. */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null
  const requestId = requestIdOf(error)
  return (
    <div className={styles.problem} role="alert">
      <p>{isStatus(error, 0) ? words.common.unreachable : messageOf(error)}</p>
      {requestId && (
        <p className={styles.request}>
          {words.common.request} <code>{requestId}</code> <CopyButton text={requestId} />
        </p>
      )}
    </div>
  )
}

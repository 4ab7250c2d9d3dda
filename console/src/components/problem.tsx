import { isStatus, messageOf } from '../api.ts'
import { words } from '../words.ts'
import styles from './problem.module.css'
import { RequestId } from './request-id.tsx'

/** What went wrong with what was just tried, in the form where it was tried. */
export function Problem({ error }: { error: unknown }) {
  if (!error) return null
  return (
    <div className={styles.problem} role="alert">
      <p>{isStatus(error, 0) ? words.common.unreachable : messageOf(error)}</p>
      <RequestId error={error} />
    </div>
  )
}

import { requestIdOf } from '../api.ts'
import { words } from '../words.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './request-id.module.css'

/** The id of the request that failed, to be copied: by it the service's log is searched. */
export function RequestId({ error }: { error: unknown }) {
  const requestId = requestIdOf(error)
  return requestId ? (
    <p className={styles.request}>
      {words.common.request} <code>{requestId}</code> <CopyButton text={requestId} />
    </p>
  ) : null
}

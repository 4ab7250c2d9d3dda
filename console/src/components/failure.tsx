import { useRouter } from '@tanstack/react-router'
import { isStatus, messageOf } from '../api.ts'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import styles from './failure.module.css'
import { Icon } from './icons.tsx'
import { RequestId } from './request-id.tsx'

/** What went wrong, where it went wrong: in the service's own words, with the id of the request and a way on. */
export function Failure({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter()
  const isAway = isStatus(error, 0)
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warning" size={24} />
      <p className={styles.title}>{isAway ? words.common.unreachable : words.common.failed}</p>
      {!isAway && <p>{messageOf(error)}</p>}
      <RequestId error={error} />
      <Button
        onClick={() => {
          reset?.()
          router.invalidate()
        }}
      >
        {words.common.retry}
      </Button>
    </div>
  )
}

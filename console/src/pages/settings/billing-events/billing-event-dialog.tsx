import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Problem } from '../../../components/problem.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './billing-events.module.css'

const text = words.settings.billingEvents

interface EventDialogProps {
  eventId: string | undefined
  provider: string | undefined
  onClose: () => void
}

/** An event as it was signed, what was understood of it, and a way to have it counted once more. */
export function BillingEventDialog({ eventId, provider, onClose }: EventDialogProps) {
  const { client, orgId } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const request = {
    path: { event_id: eventId ?? '' },
    query: { org_id: orgId, ...(provider && { provider }) },
  }
  const { data: event, error } = useQuery({
    queryKey: ['billing-event', orgId, eventId, provider],
    enabled: eventId !== undefined,
    queryFn: ({ signal }) => client.get('/billing/v1/events/{event_id}', { ...request, signal }),
  })
  const replay = useMutation({
    mutationFn: () => client.post('/billing/v1/events/{event_id}/replay', request),
    onSuccess: () => {
      notify.done(text.replayed)
      return Promise.all(
        ['subscription', 'billing-events'].map((name) =>
          cache.invalidateQueries({ queryKey: [name, orgId] }),
        ),
      )
    },
  })
  return (
    <Dialog
      title={event?.type ?? text.event}
      isOpen={eventId !== undefined}
      onClose={() => {
        replay.reset()
        onClose()
      }}
      isWide
      isBusy={replay.isPending}
      actions={
        event && (
          <>
            <CopyButton text={event.body} label={text.copyBody} />
            <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
              {text.replay}
            </Button>
          </>
        )
      }
    >
      <Problem error={error ?? replay.error} />
      {event ? (
        <>
          <h3>{text.change}</h3>
          <pre className={styles.json}>{JSON.stringify(event.change, undefined, 2)}</pre>
          <h3>{text.body}</h3>
          <pre className={styles.json}>{readable(event.body)}</pre>
        </>
      ) : (
        !error && <Skeleton height={240} />
      )}
    </Dialog>
  )
}

/** Indented to be read; as it came where it is no JSON. What is copied is as it came. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}

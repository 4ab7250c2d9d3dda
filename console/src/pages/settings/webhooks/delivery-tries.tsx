import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ago } from '../../../components/ago.tsx'
import { Button } from '../../../components/button.tsx'
import { Problem } from '../../../components/problem.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { formatNumber } from '../../../format.ts'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './webhooks.module.css'

const text = words.settings.webhooks
const ONE = '/organizations/{org_id}/webhooks/v1/{webhook_id}/deliveries/{message_id}'

/** Every request of a delivery with its answer, the latest first. */
export function DeliveryTries({ webhookId, messageId }: { webhookId: string; messageId: string }) {
  const { client, orgId } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const path = { org_id: orgId, webhook_id: webhookId, message_id: messageId }
  const queryKey = ['webhook-deliveries', webhookId, messageId]
  const { data, error } = useQuery({
    queryKey,
    refetchInterval: 3000,
    queryFn: ({ signal }) => client.get(ONE, { path, signal }),
  })
  const replay = useMutation({
    mutationFn: () => client.post(`${ONE}/replay`, { path }),
    onSuccess: () => {
      notify.done(text.replayed(1))
      return cache.invalidateQueries({ queryKey: ['webhook-deliveries', webhookId] })
    },
  })
  if (!data) return error ? <Problem error={error} /> : <Skeleton height={240} />
  return (
    <>
      <Problem error={replay.error} />
      <pre className={styles.json}>{JSON.stringify(data.message, undefined, 2)}</pre>
      {data.state !== 'pending' && (
        <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
          {text.replay}
        </Button>
      )}
      {data.tries.length === 0 && <p className={styles.note}>{text.noTries}</p>}
      {data.tries.map(({ started_at, duration_ms, request, response, error: reason }) => (
        <section key={started_at} className={styles.try}>
          <p className={styles.note}>
            <Ago at={started_at} />, {text.took(formatNumber(duration_ms))}
          </p>
          <h3>{text.request}</h3>
          <pre className={styles.json}>{`POST ${request.url}\n${headerLines(request.headers)}`}</pre>
          <h3>{text.answer}</h3>
          <pre className={styles.json}>
            {response ? `${response.status}\n${headerLines(response.headers)}\n\n${response.body}` : reason}
          </pre>
        </section>
      ))}
    </>
  )
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

import type { Schemas } from '@marquee/client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Problem } from '../../../components/problem.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import type { Webhook } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import { DeliveryTries } from './delivery-tries.tsx'
import styles from './webhooks.module.css'

export type WebhookDelivery = Schemas['WebhookDelivery']

const text = words.settings.webhooks
const ONE = '/organizations/{org_id}/webhooks/v1/{webhook_id}'
const PAGE = 100

interface DeliveriesDialogProps {
  webhook: Webhook | undefined
  mayReplay: boolean
  onClose: () => void
}

/** What a webhook was told, and, one by one, what it answered. It moves by itself. */
export function DeliveriesDialog({ webhook, mayReplay, onClose }: DeliveriesDialogProps) {
  const { client, orgId } = useOrganization()
  const cache = useQueryClient()
  const notify = useNotify()
  const [shown, setShown] = useState<string>()
  const id = webhook?.id ?? ''
  const path = { org_id: orgId, webhook_id: id }
  const queryKey = ['webhook-deliveries', id]
  const { data, error } = useQuery({
    queryKey,
    enabled: webhook !== undefined,
    refetchInterval: 3000,
    queryFn: ({ signal }) => client.get(`${ONE}/deliveries`, { path, query: { limit: PAGE }, signal }),
  })
  const replayFailed = useMutation({
    mutationFn: () => client.post(`${ONE}/replay`, { path, body: { state: 'failed' } }),
    onSuccess: ({ replayed }) => {
      notify.done(text.replayed(replayed))
      return cache.invalidateQueries({ queryKey })
    },
    onError: (failed) => notify.failed(text.notReplayed, failed),
  })
  const hasFailed = data?.data.some(({ state }) => state === 'failed')

  const columns: Column<WebhookDelivery>[] = [
    { title: text.message, cell: ({ message }) => message.type },
    { title: text.happened, cell: ({ message }) => <Ago at={message.timestamp} /> },
    { title: text.state, cell: (delivery) => <DeliveryState delivery={delivery} /> },
    { title: text.tries, cell: ({ attempts }) => attempts, isNumber: true },
  ]
  return (
    <Dialog
      title={text.deliveriesOf(webhook?.url ?? '')}
      isOpen={webhook !== undefined}
      onClose={() => {
        setShown(undefined)
        onClose()
      }}
      isWide
      isBusy={replayFailed.isPending}
      actions={
        shown ? (
          <Button onClick={() => setShown(undefined)}>{text.back}</Button>
        ) : (
          mayReplay &&
          hasFailed && (
            <Button isBusy={replayFailed.isPending} onClick={() => replayFailed.mutate()}>
              {text.replayFailed}
            </Button>
          )
        )
      }
    >
      <Problem error={error} />
      {shown ? (
        <DeliveryTries webhookId={id} messageId={shown} />
      ) : (
        <Table
          label={text.deliveries}
          columns={columns}
          rows={data?.data}
          keyOf={({ message }) => message.id}
          {...(mayReplay && {
            actions: ({ message }: WebhookDelivery) => (
              <Button onClick={() => setShown(message.id)}>{words.settings.billingEvents.show}</Button>
            ),
          })}
          empty={<p className={styles.note}>{text.noDeliveries}</p>}
        />
      )}
    </Dialog>
  )
}

function DeliveryState({ delivery: { state, next_attempt_at } }: { delivery: WebhookDelivery }) {
  return (
    <>
      <Badge kind={state === 'delivered' ? 'good' : state === 'failed' ? 'warning' : 'plain'}>
        {text.states[state]}
      </Badge>
      {next_attempt_at && Date.parse(next_attempt_at) > Date.now() && (
        <p className={styles.note}>
          {text.next} <Ago at={next_attempt_at} />
        </p>
      )}
    </>
  )
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Button, IconButton } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { Menu, MenuItem } from '../../../components/menu.tsx'
import { Section } from '../../../components/section.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useNotify } from '../../../components/toasts.tsx'
import { words } from '../../../words.ts'
import { type Webhook, webhooksQuery } from '../queries.ts'
import { useAsked } from '../use-asked.ts'
import { useOrganization } from '../use-organization.ts'
import { DeliveriesDialog } from './deliveries-dialog.tsx'
import { WebhookForm } from './webhook-form.tsx'
import styles from './webhooks.module.css'

const text = words.settings.webhooks
const ONE = '/organizations/{org_id}/webhooks/v1/{webhook_id}'

const COLUMNS: Column<Webhook>[] = [
  {
    title: text.url,
    cell: ({ url, description }) => (
      <>
        <span className={styles.url}>{url}</span>
        {description && <p className={styles.note}>{description}</p>}
      </>
    ),
  },
  { title: text.kinds, cell: ({ kinds }) => (kinds.length > 0 ? kinds.join(', ') : text.everything) },
  { title: text.state, cell: (webhook) => <State webhook={webhook} /> },
]

function State({ webhook: { enabled, disabled_reason, failing_since } }: { webhook: Webhook }) {
  if (!enabled)
    return (
      <>
        <Badge kind="warning">{text.off}</Badge>
        <p className={styles.note}>{disabled_reason}</p>
      </>
    )
  if (!failing_since) return <Badge kind="good">{text.on}</Badge>
  return (
    <>
      <Badge kind="warning">{text.failing}</Badge>
      <p className={styles.note}>
        {text.failingSince} <Ago at={failing_since} />
      </p>
    </>
  )
}

/** Addresses that are called when something happens. The one whose deliveries are looked at is in the address. */
export function WebhooksSection() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const cache = useQueryClient()
  const notify = useNotify()
  const navigate = useNavigate()
  const { webhook: shownId } = useSearch({ strict: false }) as Record<string, string | undefined>
  const [asked, ask] = useAsked()
  const [edited, setEdited] = useState<Webhook>()
  const [deleted, setDeleted] = useState<Webhook>()
  const [secret, setSecret] = useState<string>()
  const query = webhooksQuery(organization)
  // Deliveries that fail show here by themselves.
  const { data: webhooks, error, refetch } = useQuery({ ...query, refetchInterval: 10_000 })
  const refresh = () => cache.invalidateQueries({ queryKey: query.queryKey })
  const path = ({ id }: Webhook) => ({ org_id: orgId, webhook_id: id })
  const show = (webhook?: string) =>
    navigate({ to: '.', search: (search: object) => ({ ...search, webhook }) } as never)

  const change = useMutation({
    mutationFn: ({ webhook, enabled }: { webhook: Webhook; enabled: boolean }) =>
      client.patch(ONE, { path: path(webhook), body: { enabled } }),
    onSuccess: refresh,
    onError: (failed) => notify.failed(text.notChanged, failed),
  })
  const test = useMutation({
    mutationFn: (webhook: Webhook) => client.post(`${ONE}/test`, { path: path(webhook), body: {} }),
    onSuccess: (_, { id }) => {
      notify.done(text.tested)
      return cache.invalidateQueries({ queryKey: ['webhook-deliveries', id] })
    },
    onError: (failed) => notify.failed(text.notTested, failed),
  })
  const rotate = useMutation({
    mutationFn: (webhook: Webhook) => client.post(`${ONE}/rotate`, { path: path(webhook), body: {} }),
    onSuccess: (rotated) => setSecret(rotated.webhook.secret),
    onError: (failed) => notify.failed(text.notChanged, failed),
  })

  return (
    <Section
      title={words.settings.sections.webhooks}
      about={text.about}
      error={error}
      onRetry={refetch}
      actions={
        may('projects:write') && (
          <Button kind="primary" icon="plus" onClick={() => ask('new')}>
            {text.create}
          </Button>
        )
      }
    >
      <Table
        label={words.settings.sections.webhooks}
        columns={COLUMNS}
        rows={webhooks}
        keyOf={({ id }) => id}
        actions={(webhook) => (
          <Menu trigger={<IconButton label={words.settings.actionsOn(webhook.url)} icon="more" />}>
            <MenuItem onSelect={() => show(webhook.id)}>{text.deliveries}</MenuItem>
            {may('projects:write') && (
              <>
                {webhook.enabled && <MenuItem onSelect={() => test.mutate(webhook)}>{text.test}</MenuItem>}
                <MenuItem onSelect={() => setEdited(webhook)}>{text.edit}</MenuItem>
                <MenuItem onSelect={() => rotate.mutate(webhook)}>{text.rotate}</MenuItem>
                <MenuItem onSelect={() => change.mutate({ webhook, enabled: !webhook.enabled })}>
                  {webhook.enabled ? text.switchOff : text.switchOn}
                </MenuItem>
                <MenuItem isDanger onSelect={() => setDeleted(webhook)}>
                  {text.delete}
                </MenuItem>
              </>
            )}
          </Menu>
        )}
        empty={
          <Empty title={text.none}>
            <p>{text.noneText}</p>
          </Empty>
        }
      />
      <WebhookForm
        webhook={asked === 'new' && may('projects:write') ? 'new' : edited}
        onClose={() => {
          setEdited(undefined)
          if (asked) ask(undefined)
        }}
        onSaved={(saved) => {
          if (saved.secret) setSecret(saved.secret)
          else notify.done(text.saved)
          void refresh()
        }}
      />
      <FormDialog
        title={text.deleteTitle}
        isOpen={!!deleted}
        onClose={() => setDeleted(undefined)}
        submit={words.common.delete}
        isDanger
        onSubmit={async () => {
          await client.delete(ONE, { path: path(deleted!) })
          await refresh()
          notify.done(text.deleted)
        }}
      >
        <p className={styles.url}>{deleted?.url}</p>
        <p>{text.deleteText}</p>
      </FormDialog>
      <DeliveriesDialog
        webhook={webhooks?.find(({ id }) => id === shownId)}
        onClose={() => show(undefined)}
        mayReplay={may('projects:write')}
      />
      <ShownOnce
        title={text.secretTitle}
        about={text.secretText}
        text={secret}
        onClose={() => setSecret(undefined)}
      />
    </Section>
  )
}

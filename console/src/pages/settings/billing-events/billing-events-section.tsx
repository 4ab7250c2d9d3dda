import type { Schemas } from '@marquee/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ago } from '../../../components/ago.tsx'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Section } from '../../../components/section.tsx'
import { ShortId } from '../../../components/short-id.tsx'
import { Table } from '../../../components/table.tsx'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'
import { BillingEventDialog } from './billing-event-dialog.tsx'

const text = words.settings.billingEvents
const PAGE = 50

/** What payment providers told of the organization. The event that is looked at is in the address. */
export function BillingEventsSection() {
  const { client, orgId, may } = useOrganization()
  const navigate = useNavigate()
  const { event: eventId, provider } = useSearch({ strict: false }) as Record<string, string | undefined>
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['billing-events', orgId],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      client.get('/billing/v1/events', { query: { org_id: orgId, limit: PAGE, offset }, signal }),
    getNextPageParam: ({ pagination: { offset, total }, data: page }) =>
      page.length > 0 && offset + page.length < total ? offset + page.length : undefined,
  })
  const keyOf = (event: Schemas['BillingEvent']) => `${event.provider} ${event.id}`
  // New ones push the others on, so that the next page may begin with some that are shown already.
  const shown = data && new Map(data.pages.flatMap((page) => page.data.map((one) => [keyOf(one), one])))
  const show = (search: { event?: string; provider?: string }) =>
    void navigate({ to: '.', search: search as never, replace: true })

  return (
    <Section title={words.settings.sections.billing} about={text.about} error={error} onRetry={refetch}>
      <Table
        label={words.settings.sections.billing}
        columns={[
          { title: text.type, cell: ({ type }) => type },
          { title: text.provider, cell: (event) => event.provider },
          { title: text.subscription, cell: ({ subscription_id }) => <ShortId id={subscription_id} /> },
          { title: text.occurred, cell: ({ occurred_at }) => <Ago at={occurred_at} /> },
          { title: text.received, cell: ({ received_at }) => <Ago at={received_at} /> },
        ]}
        rows={shown && [...shown.values()]}
        keyOf={keyOf}
        // Bodies are shown to those who may also replay them.
        {...(may('billing:write') && {
          actions: (event: Schemas['BillingEvent']) => (
            <Button kind="quiet" onClick={() => show({ event: event.id, provider: event.provider })}>
              {text.show}
            </Button>
          ),
        })}
        empty={
          <Empty title={text.none}>
            <p>{text.noneText}</p>
          </Empty>
        }
      />
      {hasNextPage && (
        <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
      <BillingEventDialog eventId={eventId} provider={provider} onClose={() => show({})} />
    </Section>
  )
}

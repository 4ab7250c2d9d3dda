import type { Schemas } from '@marquee/client'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Ago } from '../../../components/ago.tsx'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Section } from '../../../components/section.tsx'
import { ShortId } from '../../../components/short-id.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'

type AuditEntry = Schemas['AuditEntry']

const text = words.settings.audit
const PAGE = 50

const COLUMNS: Column<AuditEntry>[] = [
  { title: text.what, cell: ({ action }) => text.actions[action] },
  {
    title: text.resource,
    cell: ({ resource, resource_name }) =>
      resource_name ? <span title={resource}>{resource_name}</span> : <ShortId id={resource} />,
  },
  { title: text.by, cell: (entry) => nameOf(entry) },
  { title: text.from, cell: ({ address, user_agent }) => <span title={user_agent}>{address ?? '–'}</span> },
  { title: text.at, cell: ({ at }) => <Ago at={at} /> },
]

function nameOf({ actor, actor_name }: AuditEntry): ReactNode {
  if (actor === 'operator') return text.operator
  if (actor === 'billing') return text.billing
  return actor_name ?? <ShortId id={actor} />
}

/** Who changed what, the latest first. */
export function AuditSection() {
  const { client, orgId } = useOrganization()
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit', orgId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.get('/organizations/{org_id}/audit/v1', {
        path: { org_id: orgId },
        query: { limit: PAGE, ...(cursor && { cursor }) },
        signal,
      }),
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  })
  return (
    <Section title={words.settings.sections.audit} about={text.about} error={error} onRetry={refetch}>
      <Table
        label={words.settings.sections.audit}
        columns={COLUMNS}
        rows={data?.pages.flatMap((page) => page.data)}
        keyOf={({ id }) => id}
        empty={<Empty title={text.none} />}
      />
      {hasNextPage && (
        <Button isBusy={isFetching} onClick={() => void fetchNextPage()}>
          {words.common.more}
        </Button>
      )}
    </Section>
  )
}

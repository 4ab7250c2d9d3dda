import type { Schemas } from '@marquee/client'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Ago } from '../../../components/ago.tsx'
import { Button } from '../../../components/button.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Section } from '../../../components/section.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { shortId } from '../../../format.ts'
import { words } from '../../../words.ts'
import { keysQuery, membersQuery } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './requests.module.css'

type FailedRequest = Schemas['FailedRequest']

const text = words.settings.requests
const PAGE = 50

/** The requests that failed last, with the ids that answers and logs have. */
export function RequestsSection() {
  const organization = useOrganization()
  const { client, orgId, may } = organization
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['failed-requests', orgId],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) =>
      client.get('/organizations/{org_id}/requests/v1/failed', {
        path: { org_id: orgId },
        query: { limit: PAGE, offset },
        signal,
      }),
    getNextPageParam: ({ pagination: { offset, total }, data: page }) =>
      page.length > 0 && offset + page.length < total ? offset + page.length : undefined,
  })
  const { data: keys } = useQuery(keysQuery(organization))
  const { data: members } = useQuery({ ...membersQuery(organization), enabled: may('members:read') })
  // New ones push the others on, so that the next page may begin with some that are shown already.
  const shown = data && new Map(data.pages.flatMap((page) => page.data.map((one) => [one.request_id, one])))

  const columns: Column<FailedRequest>[] = [
    {
      title: text.request,
      cell: ({ method, path }) => (
        <code>
          {method} {path}
        </code>
      ),
    },
    {
      title: text.answer,
      cell: ({ status, error: name, details }) => (
        <>
          <strong>{status}</strong> {details ?? name}
        </>
      ),
    },
    {
      title: text.by,
      cell: ({ key_id, user_id }) =>
        key_id
          ? (keys?.find(({ id }) => id === key_id)?.name ?? shortId(key_id))
          : (members?.find((one) => one.user_id === user_id)?.email ?? shortId(user_id ?? '')),
    },
    { title: text.at, cell: ({ at }) => <Ago at={at} /> },
    {
      title: text.id,
      cell: ({ request_id }) => (
        <span className={styles.id}>
          <code title={request_id}>{shortId(request_id)}</code> <CopyButton text={request_id} />
        </span>
      ),
    },
  ]
  return (
    <Section
      title={words.settings.sections.requests}
      about={text.about}
      error={error}
      onRetry={refetch}
      actions={
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {text.refresh}
        </Button>
      }
    >
      <Table
        label={words.settings.sections.requests}
        columns={columns}
        rows={shown && [...shown.values()]}
        keyOf={({ request_id }) => request_id}
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
    </Section>
  )
}

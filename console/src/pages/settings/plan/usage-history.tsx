import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { Table } from '../../../components/table.tsx'
import { type Data, download } from '../../../csv.ts'
import { formatBytes, formatDay, formatNumber } from '../../../format.ts'
import { useAddress } from '../../../use-address.ts'
import { words } from '../../../words.ts'
import { useOrganization } from '../use-organization.ts'
import styles from './plan.module.css'

const text = words.settings.plan
type History = Schemas['UsageHistory']
/** `limit`: undefined where it is not known. */
type Day = History['totals'][number] & { limit: number | undefined }

/** A limit that is farther away would leave nothing of the days to be seen. */
const FARTHEST = 5

/** The storage of all projects together, day by day, drawn or as a table. */
export function UsageHistory() {
  const { client, orgId } = useOrganization()
  const { search, change } = useAddress()
  const isTable = search.history === 'table'
  const { data, error, refetch } = useQuery({
    queryKey: ['usage-history', orgId],
    queryFn: ({ signal }) => client.get('/billing/v1/usage-history', { query: { org_id: orgId }, signal }),
  })
  const days = data && daysOf(data)
  const most = Math.max(...(days ?? []).map(({ storage_used }) => storage_used), 1)
  const limit = Math.max(...(days ?? []).map((day) => day.limit ?? 0))
  const isEmpty = !days?.some(({ storage_used }) => storage_used > 0)
  const isLimitSeen = limit <= most * FARTHEST
  const top = isLimitSeen ? Math.max(most, limit) : most
  return (
    <Section
      title={text.history}
      about={text.historyText}
      error={error}
      onRetry={refetch}
      actions={
        days &&
        days.length > 0 && (
          <>
            <Button kind="quiet" onClick={() => change({ history: isTable ? undefined : 'table' }, false)}>
              {isTable ? words.common.asChart : words.common.asTable}
            </Button>
            <Button kind="quiet" onClick={() => download('storage-over-time', dataOf(days))}>
              {words.common.asCsv}
            </Button>
          </>
        )
      }
    >
      {!days ? (
        <Skeleton height={160} />
      ) : days.length === 0 ? (
        <p>{text.noHistory}</p>
      ) : isTable ? (
        <Table
          label={text.history}
          columns={[
            { title: text.day, cell: ({ date }) => formatDay(date) },
            { title: text.storage, cell: ({ storage_used }) => formatBytes(storage_used), isNumber: true },
            {
              title: text.limit,
              cell: ({ limit }) => (limit === undefined ? '' : formatBytes(limit)),
              isNumber: true,
            },
            { title: text.videos, cell: ({ videos }) => formatNumber(videos), isNumber: true },
            { title: text.images, cell: ({ images }) => formatNumber(images), isNumber: true },
          ]}
          rows={[...days].reverse()}
          keyOf={({ date }) => date}
        />
      ) : (
        <figure className={styles.history}>
          <p className={styles.most}>
            <span>{formatBytes(isEmpty ? 0 : top)}</span>
            {limit > 0 && (
              <span className={styles.limitOf} data-seen={isLimitSeen || undefined}>
                {isLimitSeen ? text.limitOf(formatBytes(limit)) : text.limitAbove(formatBytes(limit))}
              </span>
            )}
          </p>
          <ol className={styles.bars} aria-label={text.history}>
            {days.map(({ date, storage_used, limit }) => {
              const used = formatBytes(storage_used)
              const said = `${formatDay(date)}: ${limit ? text.used(used, formatBytes(limit)) : used}`
              return (
                <li key={date} title={said}>
                  <span className={styles.bar} style={{ height: `${(storage_used / top) * 100}%` }} />
                  {isLimitSeen && limit !== undefined && (
                    <span className={styles.limit} style={{ bottom: `${(limit / top) * 100}%` }} />
                  )}
                  <span className="visually-hidden">{said}</span>
                </li>
              )
            })}
          </ol>
          <figcaption className={styles.axis}>
            <span>{formatDay(days[0]!.date)}</span>
            {days.length > 1 && <span>{formatDay(days.at(-1)!.date)}</span>}
          </figcaption>
        </figure>
      )}
    </Section>
  )
}

/** Each project has its own limit; a day with a project that was deleted since has none that is known. */
function daysOf({ totals, projects }: History): Day[] {
  const known = new Map<string, { used: number; limit: number }>()
  for (const { date, storage_used, storage_limit } of projects.flatMap(({ samples }) => samples)) {
    const { used, limit } = known.get(date) ?? { used: 0, limit: 0 }
    known.set(date, { used: used + storage_used, limit: limit + storage_limit })
  }
  return totals.map((day) => {
    const { used, limit } = known.get(day.date) ?? {}
    return { ...day, limit: used === day.storage_used ? limit : undefined }
  })
}

const dataOf = (days: Day[]): Data => ({
  columns: [text.day, text.bytes, text.limitBytes, text.videos, text.images].map((label) => ({ label })),
  rows: days.map(({ date, storage_used, limit, videos, images }) => [
    date,
    storage_used,
    limit ?? '',
    videos,
    images,
  ]),
})

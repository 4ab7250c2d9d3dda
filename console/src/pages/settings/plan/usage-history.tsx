import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Section } from '../../../components/section.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { type Data, download } from '../../../csv.ts'
import { formatBytes, formatDay, formatNumber } from '../../../format.ts'
import { words } from '../../../words.ts'
import { Table } from '../table.tsx'
import { useOrganization } from '../use-organization.ts'
import styles from './plan.module.css'

const text = words.settings.plan
type Day = Schemas['UsageHistory']['totals'][number]

/** The storage of all projects together, day by day, drawn or as a table. */
export function UsageHistory() {
  const { client, orgId } = useOrganization()
  const [isTable, setTable] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['usage-history', orgId],
    queryFn: ({ signal }) => client.get('/billing/v1/usage-history', { query: { org_id: orgId }, signal }),
  })
  const days = data?.totals
  const most = Math.max(...(days ?? []).map(({ storage_used }) => storage_used), 1)
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
            <Button kind="quiet" onClick={() => setTable(!isTable)}>
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
            { title: text.storage, cell: ({ storage_used }) => formatBytes(storage_used) },
            { title: text.videos, cell: ({ videos }) => formatNumber(videos) },
            { title: text.images, cell: ({ images }) => formatNumber(images) },
          ]}
          rows={[...days].reverse()}
          keyOf={({ date }) => date}
        />
      ) : (
        <figure className={styles.history}>
          <p className={styles.most}>{formatBytes(most)}</p>
          <ol className={styles.bars} aria-label={text.history}>
            {days.map(({ date, storage_used }) => {
              const said = `${formatDay(date)}: ${formatBytes(storage_used)}`
              return (
                <li key={date} title={said}>
                  <span className={styles.bar} style={{ height: `${(storage_used / most) * 100}%` }} />
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

const dataOf = (days: Day[]): Data => ({
  columns: [text.day, text.bytes, text.videos, text.images].map((label) => ({ label })),
  rows: days.map(({ date, storage_used, videos, images }) => [date, storage_used, videos, images]),
})

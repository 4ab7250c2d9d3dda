import { useQuery } from '@tanstack/react-query'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatHours, formatNumber, formatShare } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { type TopItem, type TopKind, topQuery } from './queries.ts'
import styles from './top-list.module.css'
import { useLooked } from './use-looked.ts'
import { useNames } from './use-names.ts'

const text = words.analytics
const HOUR = 3_600_000
/** What can be looked at by itself. */
const FILTERS: Partial<Record<TopKind, string>> = { videos: 'video', feeds: 'feed' }

/** What was watched most, each as long as its part of the first. */
export function TopList({ kind }: { kind: TopKind }) {
  const { projectId } = useProject()
  const { looked, change } = useLooked()
  const { data: items, error, refetch } = useQuery(topQuery(projectId, looked, kind))
  const nameOf = useNames((items ?? []).map(({ id }) => id))
  const filter = FILTERS[kind]
  const most = items?.[0]?.views ?? 1
  return (
    <ChartFrame title={text.top[kind]} file={`top-${kind}`} data={items && dataOf(items, nameOf)}>
      {error ? (
        <Failure error={error} reset={refetch} />
      ) : !items ? (
        <Skeleton height={280} />
      ) : items.length === 0 ? (
        <p className={styles.none}>{text.noneOf[kind]}</p>
      ) : (
        <ol className={styles.list}>
          {items.map(({ id, views }) => (
            <li key={id} className={styles.item}>
              <span className={styles.bar} style={{ width: `${(views / most) * 100}%` }} />
              {filter ? (
                <button
                  type="button"
                  className={styles.name}
                  title={nameOf(id)}
                  onClick={() => change({ [filter]: id })}
                >
                  {nameOf(id)}
                </button>
              ) : (
                <span className={styles.name} title={nameOf(id)}>
                  <span>{nameOf(id)}</span> <CopyButton text={id} />
                </span>
              )}
              <span className={styles.count}>{formatNumber(views)}</span>
            </li>
          ))}
        </ol>
      )}
    </ChartFrame>
  )
}

const dataOf = (items: TopItem[], nameOf: (id: string) => string) => ({
  columns: [
    { label: text.name },
    { label: text.id },
    { label: text.viewsOf, show: formatNumber },
    { label: text.viewers, show: formatNumber },
    { label: text.total.watched, show: (hours: number) => formatHours(hours * HOUR) },
    { label: text.completion, show: formatShare },
  ],
  rows: items.map(({ id, views, viewers, watched, completion }) => [
    nameOf(id),
    id,
    views,
    viewers,
    watched / HOUR,
    completion,
  ]),
})

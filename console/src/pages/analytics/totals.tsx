import { Skeleton } from '../../components/skeleton.tsx'
import { formatChange, formatHours, formatNumber, formatShare } from '../../format.ts'
import { words } from '../../words.ts'
import type { Overview } from './queries.ts'
import styles from './totals.module.css'

const text = words.analytics
type Totals = Overview['now']['totals']

const FIGURES = {
  views: [({ views }) => views, formatNumber],
  viewers: [({ viewers }) => viewers, formatNumber],
  watched: [({ watch_time_ms }) => watch_time_ms, formatHours],
  completion: [({ completion_rate }) => completion_rate, formatShare],
} satisfies Record<string, [(totals: Totals) => number, (value: number) => string]>
const NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[]

/** What the range comes to, beside what the period before it came to. */
export function TotalsRow({ overview, isCompared }: { overview: Overview | undefined; isCompared: boolean }) {
  return (
    <dl className={styles.totals} aria-label={text.totals}>
      {NAMES.map((name) => {
        const [figureOf, show] = FIGURES[name]
        const now = overview && figureOf(overview.now.totals)
        const before = overview?.before && figureOf(overview.before.totals)
        return (
          <div key={name} className={styles.total}>
            <dt>{text.total[name]}</dt>
            <dd className={styles.value}>
              {now === undefined ? <Skeleton width={96} height={36} /> : show(now)}
            </dd>
            {isCompared && (
              <dd className={styles.before}>
                {now === undefined || before === undefined ? (
                  <Skeleton width={120} height={20} />
                ) : (
                  <>
                    <Change now={now} before={before} /> <span>{text.before(show(before))}</span>
                  </>
                )}
              </dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}

function Change({ now, before }: { now: number; before: number }) {
  if (now === before) return <span>{text.unchanged}</span>
  if (before === 0) return <span data-way="up">{text.isNew}</span>
  const change = now / before - 1
  return (
    <span data-way={change > 0 ? 'up' : 'down'}>
      <span aria-hidden="true">{change > 0 ? '▲' : '▼'}</span> {formatChange(change)}
    </span>
  )
}

import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { Failure } from '../../components/failure.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Data } from '../../csv.ts'
import { formatInterval, formatNumber, formatShare } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './cohorts.module.css'
import { cohortsQuery } from './queries.ts'
import { useLooked } from './use-looked.ts'

const text = words.analytics
type Period = keyof typeof text.periods
type Cohort = Schemas['RetentionCohort']

/** Which part of the viewers comes back: a triangle, as later cohorts have had less time to. */
export function Cohorts() {
  const { projectId } = useProject()
  const { looked } = useLooked()
  const { data: answer, error, refetch } = useQuery(cohortsQuery(projectId, looked))
  const period = (answer?.period ?? 'day') as Period
  const cohorts = answer?.cohorts ?? []
  const data = useMemo(() => answer && dataOf(answer.cohorts, answer.period as Period), [answer])
  const isEmpty = cohorts.every(({ cohort_size }) => cohort_size === 0)
  return (
    <ChartFrame
      title={text.cohorts}
      text={text.cohortsText}
      file={`cohorts-by-${period}`}
      id="cohorts"
      data={data}
      isTable
    >
      {error ? (
        <Failure error={error} reset={refetch} />
      ) : !answer ? (
        <Skeleton height={240} />
      ) : isEmpty ? (
        <p className={styles.none}>{text.noCohorts}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys too.
        <section className={styles.scroller} tabIndex={0} aria-label={text.table(text.cohorts)}>
          <table className={styles.triangle}>
            <caption className="visually-hidden">{text.cohorts}</caption>
            <thead>
              <tr>
                <th scope="col">{text.cohort}</th>
                <th scope="col">{text.viewers}</th>
                {cohorts.map(({ cohort_date }, i) => (
                  <th key={cohort_date} scope="col">
                    {text.periods[period](i)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {cohorts.map((cohort) => (
                <Row key={cohort.cohort_date} cohort={cohort} period={period} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </ChartFrame>
  )
}

function Row({ cohort, period }: { cohort: Cohort; period: Period }) {
  const { cohort_date, cohort_size, retention_data } = cohort
  return (
    <tr>
      <th scope="row">{formatInterval(cohort_date, period)}</th>
      <td>{formatNumber(cohort_size)}</td>
      {retention_data.map((part, i) => (
        <td key={i} className={styles.cell} style={shadeOf(part)}>
          {cohort_size === 0 ? '' : formatShare(part)}
        </td>
      ))}
    </tr>
  )
}

/** Never so dark that the number on it is hard to read. */
const shadeOf = (part: number) => ({
  background: `color-mix(in srgb, var(--accent) ${Math.round(part * 42)}%, var(--ground))`,
})

function dataOf(cohorts: Cohort[], period: Period): Data {
  return {
    columns: [
      { label: text.cohort },
      { label: text.viewers },
      ...cohorts.map((_, i) => ({ label: text.periods[period](i) })),
    ],
    rows: cohorts.map(({ cohort_date, cohort_size, retention_data }) => [
      cohort_date,
      cohort_size,
      ...cohorts.map((_, i) => retention_data[i] ?? ''),
    ]),
  }
}

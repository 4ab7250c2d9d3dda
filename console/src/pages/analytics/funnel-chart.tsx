import type { Data } from '../../csv.ts'
import { formatNumber, formatShare, formatSpan } from '../../format.ts'
import { words } from '../../words.ts'
import styles from './funnel-chart.module.css'
import type { Funnel } from './queries.ts'

const text = words.analytics.funnel

/** Bars whose falling edge is what is lost on the way to the next one. */
export function FunnelChart({ funnel: { result, times } }: { funnel: Funnel }) {
  const parts = result.steps.map(({ user_count }) => user_count / result.total_users)
  return (
    <ol className={styles.funnel} aria-label={text.title}>
      {result.steps.map(({ step_name, user_count, conversion_rate, dropoff_rate }, i) => {
        const lost = (result.steps[i - 1]?.user_count ?? user_count) - user_count
        const time = times[i]
        return (
          <li key={i} className={styles.step}>
            <Bar part={parts[i]!} next={parts[i + 1]} />
            <div className={styles.words}>
              <h3>
                <span className={styles.number}>{i + 1}</span> {step_name}
              </h3>
              <p className={styles.count}>
                {formatShare(parts[i]!)} <span>{text.viewers(formatNumber(user_count))}</span>
              </p>
              {i > 0 && (
                <>
                  <p>{text.kept(formatShare(conversion_rate))}</p>
                  <p className={styles.lost}>
                    {text.lostText(formatNumber(lost), formatShare(dropoff_rate))}
                  </p>
                  {time !== undefined && <p>{text.after(formatSpan(time))}</p>}
                </>
              )}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** Upright where there is room; on a phone it lies on its side. */
function Bar({ part, next }: { part: number; next: number | undefined }) {
  const at = (one: number) => 100 - one * 100
  const [to, from] = [next ?? part, part]
  return (
    <>
      <svg className={styles.upright} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.bar} x="0" y={at(from)} width="64" height={from * 100} />
        {next !== undefined && (
          <polygon className={styles.edge} points={`64,${at(from)} 100,${at(to)} 100,100 64,100`} />
        )}
      </svg>
      <svg className={styles.lying} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.bar} x="0" y="0" width={from * 100} height="60" />
        {next !== undefined && (
          <polygon className={styles.edge} points={`0,60 ${from * 100},60 ${to * 100},100 0,100`} />
        )}
      </svg>
    </>
  )
}

export function funnelData({ result, times }: Funnel): Data {
  const { steps, total_users } = result
  return {
    columns: [
      { label: text.name },
      { label: words.analytics.viewers, show: formatNumber },
      { label: text.ofFirst, show: formatShare },
      { label: text.ofBefore, show: formatShare },
      { label: text.lost, show: formatNumber },
      { label: text.lostShare, show: formatShare },
      { label: text.averageTime, show: formatSpan },
    ],
    rows: steps.map(({ step_name, user_count, conversion_rate, dropoff_rate }, i) => [
      step_name,
      user_count,
      total_users && user_count / total_users,
      conversion_rate,
      (steps[i - 1]?.user_count ?? user_count) - user_count,
      dropoff_rate,
      times[i] ?? '',
    ]),
  }
}

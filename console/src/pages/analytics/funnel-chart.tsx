import type { Data } from '../../csv.ts'
import { formatHourSpan, formatNumber, formatShare } from '../../format.ts'
import { words } from '../../words.ts'
import styles from './funnel-chart.module.css'
import type { Funnel } from './queries.ts'

const text = words.analytics.funnel

/** Bars whose falling edge is what is lost on the way to the next one. */
export function FunnelChart({ funnel: { steps, total_users } }: { funnel: Funnel }) {
  const parts = steps.map(({ user_count }) => user_count / total_users)
  return (
    <ol className={styles.funnel} aria-label={text.title}>
      {steps.map(({ step_name, user_count, conversion_rate, dropoff_rate, average_time_hours }, i) => {
        const lost = (steps[i - 1]?.user_count ?? user_count) - user_count
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
                  <p className={lost > 0 ? styles.lost : undefined}>
                    {text.lostText(formatNumber(lost), formatShare(dropoff_rate))}
                  </p>
                </>
              )}
            </div>
            {i > 0 && user_count > 0 && <Between hours={average_time_hours} />}
          </li>
        )
      })}
    </ol>
  )
}

/** How long it takes from the step before: on the falling edge, between the two bars. */
function Between({ hours }: { hours: number }) {
  return (
    <p className={styles.between}>
      <span className={styles.short} aria-hidden="true">
        {formatHourSpan(hours)}
      </span>
      <span className={styles.whole}>{text.after(formatHourSpan(hours))}</span>
    </p>
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

export function funnelData({ steps, total_users }: Funnel): Data {
  return {
    columns: [
      { label: text.name },
      { label: words.analytics.viewers, show: formatNumber },
      { label: text.ofFirst, show: formatShare },
      { label: text.ofBefore, show: formatShare },
      { label: text.lost, show: formatNumber },
      { label: text.lostShare, show: formatShare },
      { label: text.averageTime, inFile: text.averageHours, show: formatHourSpan },
    ],
    rows: steps.map(({ step_name, user_count, conversion_rate, dropoff_rate, average_time_hours }, i) => [
      step_name,
      user_count,
      total_users && user_count / total_users,
      conversion_rate,
      (steps[i - 1]?.user_count ?? user_count) - user_count,
      dropoff_rate,
      i > 0 && user_count > 0 ? average_time_hours : '',
    ]),
  }
}

import { useQuery } from '@tanstack/react-query'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { Failure } from '../../components/failure.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatAgo, formatCountry, formatNumber, formatTime } from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import { realtimeQuery } from './queries.ts'
import styles from './realtime.module.css'
import { useNames } from './use-names.ts'

const text = words.analytics
const SHOWN = 6

/** Who is watching at this moment. It moves by itself. */
export function Realtime() {
  const { projectId } = useProject()
  const { data: now, error, refetch } = useQuery(realtimeQuery(projectId))
  const events = (now?.recent_events ?? []).slice(0, SHOWN)
  const nameOf = useNames(events.map(({ content_id }) => content_id))
  const most = now?.top_countries[0]?.count ?? 1
  const data = now && {
    columns: [
      { label: text.country, showText: countryOf },
      { label: text.events('').trim(), show: formatNumber },
    ],
    rows: now.top_countries.map(({ country, count }) => [country, count]),
  }
  return (
    <ChartFrame title={text.now} data={data} file="watching-now">
      {error && !now ? (
        <Failure error={error} reset={refetch} />
      ) : !now ? (
        <Skeleton height={320} />
      ) : (
        <div className={styles.now}>
          <div>
            <p className={styles.count}>
              <span className={styles.dot} data-on={now.active_users > 0 || undefined} />
              <output aria-label={text.nowText}>{formatNumber(now.active_users)}</output>
            </p>
            <p className={styles.soft}>{text.nowText}</p>
            <p className={styles.soft}>{text.perMinute(formatNumber(now.events_per_minute))}</p>
          </div>
          {events.length === 0 ? (
            <p className={styles.soft}>{text.nobody}</p>
          ) : (
            <>
              <ul className={styles.list}>
                {now.top_countries.slice(0, 5).map(({ country, count }) => (
                  <li key={country} className={styles.country}>
                    <span className={styles.bar} style={{ width: `${(count / most) * 100}%` }} />
                    <span>{countryOf(country)}</span>
                    <span>{formatNumber(count)}</span>
                  </li>
                ))}
              </ul>
              <h3>{text.recent}</h3>
              <ul className={styles.list}>
                {events.map((event, i) => (
                  <li key={`${event.timestamp}-${i}`} className={styles.event}>
                    <span>{text.kinds[event.event_type] ?? event.event_type}</span>
                    <span className={styles.soft}>
                      {[event.content_id && nameOf(event.content_id), formatCountry(event.country)]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                    <time dateTime={event.timestamp} title={formatTime(event.timestamp)}>
                      {formatAgo(event.timestamp, Date.parse(now.timestamp))}
                    </time>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </ChartFrame>
  )
}

const countryOf = (code: string): string => formatCountry(code) || text.unknown

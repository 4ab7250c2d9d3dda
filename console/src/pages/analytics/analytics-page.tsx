import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../components/checkbox.tsx'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { RangeBar } from '../../components/range-bar.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './analytics-page.module.css'
import { Cohorts } from './cohorts.tsx'
import { Filters } from './filters.tsx'
import { AnalyticsGate } from './gate.tsx'
import { Quality } from './quality.tsx'
import { overviewQuery } from './queries.ts'
import { Realtime } from './realtime.tsx'
import { Tabs } from './tabs.tsx'
import { TopList } from './top-list.tsx'
import { TotalsRow } from './totals.tsx'
import { useLooked } from './use-looked.ts'
import { ViewsChart } from './views-chart.tsx'

export function AnalyticsPage() {
  return (
    <Page title={words.nav.analytics}>
      <Tabs />
      <AnalyticsGate>
        <OverviewOfProject />
      </AnalyticsGate>
    </Page>
  )
}

function OverviewOfProject() {
  const { projectId } = useProject()
  const { looked, ranges, change } = useLooked()
  const { data: overview, error, refetch } = useQuery(overviewQuery(projectId, looked))
  return (
    <>
      <RangeBar range={looked} ranges={ranges}>
        <Checkbox
          label={words.analytics.compare}
          checked={looked.isCompared}
          onChange={({ target }) => change({ compare: target.checked ? undefined : 'off' })}
        />
      </RangeBar>
      <Filters />
      {error ? (
        <Failure error={error} reset={refetch} />
      ) : (
        <>
          <TotalsRow overview={overview} isCompared={looked.isCompared} />
          <div className={styles.wide}>
            <ViewsChart overview={overview} />
            <Realtime />
          </div>
        </>
      )}
      <div className={styles.three}>
        <TopList kind="videos" />
        <TopList kind="posts" />
        <TopList kind="feeds" />
      </div>
      <Quality />
      <Cohorts />
    </>
  )
}

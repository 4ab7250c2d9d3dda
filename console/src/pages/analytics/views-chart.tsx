import { useMemo } from 'react'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { ChartSkeleton, LazyChart } from '../../components/lazy-chart.tsx'
import type { Data } from '../../csv.ts'
import { formatCompact, formatHours, formatInterval, formatNumber } from '../../format.ts'
import { dayOf, type Interval } from '../../range.ts'
import { words } from '../../words.ts'
import type { Overview } from './queries.ts'

const text = words.analytics
const HOUR = 3_600_000
/** As high as the list beside it. */
const HEIGHT = 360
const AXES: Record<Interval, string> = {
  hour: text.hours,
  day: text.days,
  week: text.weeks,
  month: text.months,
}

/** Views over time, with the period before faint behind them. */
export function ViewsChart({ overview }: { overview: Overview | undefined }) {
  const drawn = useMemo(() => overview && drawnOf(overview), [overview])
  const file = overview ? `views-${dayOf(overview.period.start)}-${dayOf(overview.period.end)}` : 'views'
  return (
    <ChartFrame title={text.views_} data={drawn?.data} file={file} id="views">
      {drawn && overview ? (
        <LazyChart
          label={text.chart(text.views_)}
          xLabel={AXES[overview.period.interval]}
          yLabel={text.viewsOf}
          interval={overview.period.interval}
          times={drawn.times}
          series={drawn.series}
          show={formatNumber}
          showTick={formatCompact}
          isWhole
          height={HEIGHT}
        />
      ) : (
        <ChartSkeleton height={HEIGHT} />
      )}
    </ChartFrame>
  )
}

function drawnOf({ now, before, period }: Overview) {
  const times = now.points.map(({ timestamp }) => Date.parse(timestamp))
  const earlier = before && now.points.map((_, i) => before.points[i])
  const series = [
    { label: text.thisPeriod, values: now.points.map(({ views }) => views) },
    ...(earlier
      ? [
          {
            label: text.periodBefore,
            values: earlier.map((point) => point?.views ?? null),
            times: earlier.map((point) => (point ? Date.parse(point.timestamp) : Number.NaN)),
            isFaint: true,
          },
        ]
      : []),
  ]
  const show = formatNumber
  const showText = (at: string) => (at ? formatInterval(at, period.interval) : '')
  const data: Data = {
    columns: [
      { label: text.time, showText },
      { label: text.viewsOf, show },
      { label: text.viewers, show },
      { label: text.total.watched, show: (hours) => formatHours(hours * HOUR) },
      ...(earlier
        ? [
            { label: text.timeBefore, showText },
            { label: text.viewsBefore, show },
          ]
        : []),
    ],
    rows: now.points.map((point, i) => [
      point.timestamp,
      point.views,
      point.viewers,
      point.watch_time_ms / HOUR,
      ...(earlier ? [earlier[i]?.timestamp ?? '', earlier[i]?.views ?? 0] : []),
    ]),
  }
  return { times, series, data }
}

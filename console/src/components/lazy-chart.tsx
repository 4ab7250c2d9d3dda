import { lazy, Suspense } from 'react'
import { Skeleton } from './skeleton.tsx'
import type { TimeChartProps } from './time-chart.tsx'

/** What draws is loaded with the first chart, beside the numbers. */
const TimeChart = lazy(() => import('./time-chart.tsx').then((loaded) => ({ default: loaded.TimeChart })))

export function LazyChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<ChartSkeleton height={props.height} />}>
      <TimeChart {...props} />
    </Suspense>
  )
}

/** As high as a chart with its legend. */
export function ChartSkeleton({ height = 280 }: { height?: number | undefined }) {
  return <Skeleton height={height + 29} />
}

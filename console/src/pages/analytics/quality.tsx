import type { Schemas } from '@marquee/client'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ChartFrame } from '../../components/chart-frame.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Failure } from '../../components/failure.tsx'
import { InlineSelect } from '../../components/inline-select.tsx'
import { LazyChart } from '../../components/lazy-chart.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Data } from '../../csv.ts'
import {
  formatCountry,
  formatDecimal,
  formatInterval,
  formatNumber,
  formatShare,
  formatSpan,
} from '../../format.ts'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import styles from './quality.module.css'
import { type QualityBy, qualityQuery } from './queries.ts'
import { useLooked } from './use-looked.ts'

const text = words.analytics
const BYS: QualityBy[] = ['day', 'country', 'browser']
type Figures = Omit<Schemas['PlaybackQuality'], 'groups'>

const formatMs = (milliseconds: number): string => formatSpan(milliseconds / 1000)
const formatHeight = (height: number): string => (height ? `${formatNumber(Math.round(height))} p` : '–')

/** The figures of one question each, in the order in which a viewer meets them. */
const FIGURES: [string, (of: Figures) => number, (value: number) => string][] = [
  [text.plays, (of) => of.plays, formatNumber],
  [text.startMedian, (of) => of.start_median_ms, formatMs],
  [text.startP95, (of) => of.start_p95_ms, formatMs],
  [text.stalled, (of) => of.stalled_share, formatShare],
  [text.failed, (of) => of.failure_rate, formatShare],
  [text.rung, (of) => of.average_rung, formatHeight],
]

export function Quality() {
  const { projectId } = useProject()
  const { looked, search, change } = useLooked()
  const by = BYS.find((name) => name === search.by) ?? 'day'
  const { data: quality, error, refetch } = useQuery(qualityQuery(projectId, looked, by))
  const data = useMemo(() => quality && dataOf(quality, by), [quality, by])
  const drawn = useMemo(() => quality && drawnOf(quality), [quality])
  const isLines = by === 'day' && (drawn?.times.length ?? 0) > 1
  return (
    <ChartFrame
      title={text.quality}
      text={text.qualityText}
      file={`quality-by-${by}`}
      id="quality"
      data={data}
      isTable={!isLines}
      actions={
        <InlineSelect
          label={text.by}
          value={by}
          choices={BYS.map((name) => [name, text.bys[name]] as const)}
          onChoose={(chosen) => change({ by: chosen })}
        />
      }
    >
      {error ? (
        <Failure error={error} reset={refetch} />
      ) : !quality || !data || !drawn ? (
        <Skeleton height={380} />
      ) : quality.plays === 0 ? (
        <p className={styles.none}>{text.noQuality}</p>
      ) : (
        <>
          <dl className={styles.figures}>
            {FIGURES.map(([label, figureOf, show]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{show(figureOf(quality))}</dd>
              </div>
            ))}
          </dl>
          {isLines ? (
            <LazyChart
              label={text.chart(text.quality)}
              xLabel={text.days}
              yLabel={text.seconds}
              interval="day"
              times={drawn.times}
              series={drawn.series}
              show={formatMs}
              showTick={(value) => formatDecimal(value / 1000)}
            />
          ) : (
            <DataTable data={data} caption={text.quality} />
          )}
        </>
      )}
    </ChartFrame>
  )
}

function dataOf({ groups }: Schemas['PlaybackQuality'], by: QualityBy): Data {
  const showText = (value: string) => {
    if (!value) return text.unknown
    if (by === 'day') return formatInterval(value, 'day')
    return by === 'country' ? formatCountry(value) : value
  }
  return {
    columns: [{ label: text.bys[by], showText }, ...FIGURES.map(([label, , show]) => ({ label, show }))],
    rows: groups.map((group) => [group.value, ...FIGURES.map(([, figureOf]) => figureOf(group))]),
  }
}

function drawnOf({ groups }: Schemas['PlaybackQuality']) {
  return {
    times: groups.map(({ value }) => Date.parse(value)),
    series: [
      { label: text.startMedian, values: groups.map(({ start_median_ms }) => start_median_ms) },
      { label: text.startP95, values: groups.map(({ start_p95_ms }) => start_p95_ms), isFaint: true },
    ],
  }
}

import { useEffect, useMemo, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatInterval, formatTick } from '../format.ts'
import type { Interval } from '../range.ts'
import styles from './time-chart.module.css'
import { onLook, tokenColours } from './token-colours.ts'

export interface TimeSeries {
  label: string
  values: (number | null)[]
  /** Faint: what the other is compared with. */
  isFaint?: boolean
  /** Where its values are of other times than those below them. */
  times?: number[]
}

export interface TimeChartProps {
  label: string
  xLabel: string
  yLabel: string
  interval: Interval
  times: number[]
  series: TimeSeries[]
  show: (value: number) => string
  showTick: (value: number) => string
  /** Whether a half of something can be. */
  isWhole?: boolean
  height?: number
}

const WHOLE = [1, 2, 5]
  .flatMap((n) => Array.from({ length: 13 }, (_, power) => n * 10 ** power))
  .sort((a, b) => a - b)

/** Lines over time. What is below the pointer is shown exactly. */
export function TimeChart(props: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<{ index: number; left: number }>()
  const { times, series, interval, xLabel, yLabel, showTick, isWhole, height = 280 } = props
  const data = useMemo(
    () =>
      [
        times.map((time) => time / 1000),
        ...behindFirst(series).map(({ values }) => values),
      ] as uPlot.AlignedData,
    [times, series],
  )

  useEffect(() => {
    const element = box.current
    if (!element) return
    let colours = tokenColours(element)
    const font = `12px ${getComputedStyle(element).fontFamily}`
    const axis = { stroke: () => colours.soft, font, labelFont: font, labelGap: 4 }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
        padding: [8, 8, 0, 0],
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        scales: { y: { range: (_, __, most) => [0, Math.max(most || 0, isWhole ? 4 : 0.1) * 1.08] } },
        axes: [
          {
            ...axis,
            label: xLabel,
            labelSize: 22,
            size: 30,
            space: 64,
            grid: { show: false },
            ticks: { show: false },
            values: (_, splits) => splits.map((seconds) => formatTick(seconds * 1000, interval)),
            // As many days as there are; no tick between them.
            splits: (_, __, least, most) => ticksOf(times, least, most, element.clientWidth),
          },
          {
            ...axis,
            label: yLabel,
            labelSize: 22,
            size: 46,
            grid: { stroke: () => colours.line, width: 1 },
            ticks: { show: false },
            ...(isWhole && { incrs: WHOLE }),
            values: (_, splits) => splits.map((value) => showTick(value)),
          },
        ],
        series: [
          {},
          ...behindFirst(series).map(({ isFaint }) => ({
            stroke: () => (isFaint ? colours.faint : colours.accent),
            width: isFaint ? 1.5 : 2,
            points: { show: times.length === 1 },
            ...(isFaint ? { dash: [5, 5] } : { fill: () => colours.fill }),
          })),
        ],
        hooks: {
          setCursor: [
            ({ cursor }) =>
              setAt(cursor.idx == null ? undefined : { index: cursor.idx, left: cursor.left ?? 0 }),
          ],
        },
      },
      data,
      element,
    )
    const resizing = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) plot.setSize({ width: element.clientWidth, height })
    })
    resizing.observe(element)
    const forget = onLook(() => {
      colours = tokenColours(element)
      plot.redraw()
    })
    return () => {
      forget()
      resizing.disconnect()
      plot.destroy()
      setAt(undefined)
    }
  }, [data, interval, xLabel, yLabel])

  return (
    <figure className={styles.figure}>
      <ul className={styles.legend} aria-hidden="true">
        {series.map(({ label, isFaint }) => (
          <li key={label} data-faint={isFaint || undefined}>
            {label}
          </li>
        ))}
      </ul>
      <div ref={box} className={styles.box} style={{ minHeight: height }} role="img" aria-label={props.label}>
        {at && <Tip {...props} index={at.index} left={at.left} width={box.current?.clientWidth ?? 0} />}
      </div>
    </figure>
  )
}

/** What is drawn first is behind what is drawn later. */
const behindFirst = (series: TimeSeries[]): TimeSeries[] => [...series].reverse()

function ticksOf(times: number[], least: number, most: number, width: number): number[] {
  const seen = times.map((time) => time / 1000).filter((time) => time >= least && time <= most)
  const every = Math.max(1, Math.ceil(seen.length / Math.max(1, Math.floor((width - 80) / 72))))
  return seen.filter((_, i) => i % every === 0)
}

function Tip({
  series,
  times,
  interval,
  show,
  index,
  left,
  width,
}: TimeChartProps & { index: number; left: number; width: number }) {
  const isRight = left > width / 2
  return (
    <div className={styles.tip} style={isRight ? { right: width - left - 40 } : { left: left + 84 }}>
      {series.map(({ label, values, isFaint, times: own }) => {
        const value = values[index]
        const time = (own ?? times)[index]
        return (
          <p key={label} data-faint={isFaint || undefined}>
            <span>
              {own || series.length === 1 || !isFaint
                ? time !== undefined && formatInterval(time, interval)
                : ''}
            </span>
            <strong>
              {label} {value == null ? '–' : show(value)}
            </strong>
          </p>
        )
      })}
    </div>
  )
}

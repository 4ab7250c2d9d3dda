import type { MetricFamily } from '../base/metric-family.ts'
import type { App } from './types.ts'

const NAME = 'marquee_http_request_duration_seconds'
const HELP = 'Time from the first byte of a request to the last of its answer'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  labels: { method: string; route: string; status: number }
  /** How many took up to each bound and longer than the one before; the last is for the rest. */
  counts: number[]
  sum: number
}

export interface Durations {
  record(operation: { method: string; route: string; status: number }, seconds: number): void
  /** In Prometheus' text format. */
  text(): string
  family(): MetricFamily
}

/**
 * How long requests took, by operation and status. Counted here, since a library's histogram checks and
 * hashes its labels for every request.
 */
export function measureDurations(app: App): Durations {
  const all = new Map<string, Series>()

  const record: Durations['record'] = ({ method, route, status }, seconds) => {
    const name = `${method} ${status} ${route}`
    const series = all.get(name) ?? newSeries({ method, route, status })
    all.set(name, series)
    let bound = 0
    while (bound < BOUNDS.length && seconds > BOUNDS[bound]!) bound++
    series.counts[bound]!++
    series.sum += seconds
  }
  app.addHook('onResponse', ({ method, routeOptions }, { statusCode, elapsedTime }, done) => {
    record({ method, route: routeOptions.url ?? 'none', status: statusCode }, elapsedTime / 1000)
    done()
  })
  return {
    record,
    text: () =>
      [
        `# HELP ${NAME} ${HELP}`,
        `# TYPE ${NAME} histogram`,
        ...[...all.values()].flatMap(valuesOf).map(lineOf),
        '',
      ].join('\n'),
    family: () => ({
      name: NAME,
      help: HELP,
      type: 'histogram',
      values: [...all.values()].flatMap(valuesOf),
    }),
  }
}

function newSeries(labels: Series['labels']): Series {
  return { labels, counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 }
}

function valuesOf({ labels, counts, sum }: Series): MetricFamily['values'] {
  let total = 0
  const buckets = [...BOUNDS, '+Inf'].map((bound, i) => {
    total += counts[i]!
    return { metricName: `${NAME}_bucket`, labels: { le: bound, ...labels }, value: total }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ]
}

function lineOf({ metricName, labels, value }: MetricFamily['values'][number]): string {
  const pairs = Object.entries(labels).map(([label, is]) => `${label}="${is}"`)
  return `${metricName}{${pairs.join(',')}} ${value}`
}

import type { App } from './types.ts'

const NAME = 'marquee_http_request_duration_seconds'
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  labels: string
  /** How many took up to each bound and longer than the one before; the last is for the rest. */
  counts: number[]
  sum: number
}

/**
 * How long requests took, by operation and status, in Prometheus' text format. Counted here, since a
 * library's histogram checks and hashes its labels for every request.
 */
export function measureDurations(app: App): () => string {
  const byOperation = new Map<string, Map<number, Series>>()

  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request
    const series = seriesOf(method, routeOptions.url ?? 'none', reply.statusCode)
    const seconds = reply.elapsedTime / 1000
    let bound = 0
    while (bound < BOUNDS.length && seconds > BOUNDS[bound]!) bound++
    series.counts[bound]!++
    series.sum += seconds
    done()
  })

  function seriesOf(method: string, route: string, status: number): Series {
    const operation = method + route
    let byStatus = byOperation.get(operation)
    if (!byStatus) byOperation.set(operation, (byStatus = new Map()))
    let series = byStatus.get(status)
    if (!series) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      series = { labels, counts: new Array(BOUNDS.length + 1).fill(0), sum: 0 }
      byStatus.set(status, series)
    }
    return series
  }

  return () => {
    const all = [...byOperation.values()].flatMap((byStatus) => [...byStatus.values()])
    return [
      `# HELP ${NAME} Time from the first byte of a request to the last of its answer`,
      `# TYPE ${NAME} histogram`,
      ...all.flatMap(linesOf),
      '',
    ].join('\n')
  }
}

function linesOf({ labels, counts, sum }: Series): string[] {
  let total = 0
  const buckets = [...BOUNDS, '+Inf'].map((bound, i) => {
    total += counts[i]!
    return `${NAME}_bucket{le="${bound}",${labels}} ${total}`
  })
  return [...buckets, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`]
}

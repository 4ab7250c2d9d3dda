import { type EventLine, ONCE_WITHIN } from '../../server/platform/events/line.ts'
import {
  type Activity,
  type ContentCounts,
  type EventReports,
  type EventScope,
  type FunnelQuery,
  type FunnelStep,
  MAX_SECONDS,
  type TimeRange,
} from '../../server/platform/events/port.ts'
import {
  bucketOf,
  bucketsOf,
  byBytes,
  byViewer,
  contentOf,
  countViews,
  fieldOf,
  type Happened,
  inOrder,
  mostFrequent,
  unique,
  viewersOf,
} from './oracle-events.ts'
import { playedHowWell } from './oracle-quality.ts'
import { valuesIn, viewedOverTime } from './oracle-views.ts'

/**
 * The reports over plain arrays, as near to the words of their definitions as code can be, however slow. Shares
 * no code with the engines that are held against it. Lines are in the order in which they are loaded.
 */
export function oracle(lines: readonly EventLine[]): EventReports {
  const happened = counted(lines).flatMap((line) =>
    line.events.map((event, i): Happened => {
      const { organization, project, envelope } = line
      const viewer = line.viewer ?? event.viewer
      return { ...event, organization, project, envelope, viewer, arrival: line.arrival + i }
    }),
  )
  const within = ({ organization, project }: EventScope, { from, to }: TimeRange) =>
    happened.filter(
      (event) =>
        event.organization === organization &&
        (project === undefined || event.project === project) &&
        event.time >= from &&
        event.time < to,
    )

  return {
    async funnel(scope, range, query) {
      const trails = byViewer(within(scope, range)).map((trail) => trail.toSorted(inOrder))
      const chains = trails.map((trail) => bestChain(trail, query))
      return {
        reached: query.steps.map((_, step) => chains.filter((chain) => chain.length > step).length),
        took: chains
          .filter((chain) => chain.length === query.steps.length)
          .reduce((sum, chain) => sum + BigInt(chain.at(-1)!.time - chain[0]!.time), 0n),
        gaps: query.steps.map((_, step) =>
          chains
            .filter((chain) => step > 0 && chain.length > step)
            .reduce((sum, chain) => sum + BigInt(chain[step]!.time - chain[step - 1]!.time), 0n),
        ),
      }
    },

    async contents(scope, range, { by, id, feed, limit }) {
      const views = within(scope, range)
        .filter((event) => contentOf(event, by) !== undefined)
        .filter((event) => feed === undefined || contentOf(event, 'feed') === feed)
      const ids = id === undefined ? unique(views.map((event) => contentOf(event, by)!)) : [id]
      return ids
        .map((each) =>
          countContent(
            each,
            views.filter((event) => contentOf(event, by) === each),
          ),
        )
        .sort((a, b) => b.views - a.views || Number(b.watched - a.watched) || byBytes(a.id, b.id))
        .slice(0, limit)
    },

    async heat(scope, range, { video, parts }) {
      const views = within(scope, range).filter((event) => contentOf(event, 'video') === video)
      const duration = durationOf(views)
      const segments = views.filter(({ viewer }) => viewer !== undefined).flatMap(segmentsOf)
      return {
        viewers: viewersOf(views).length,
        duration,
        passes: partsOf(duration, parts).map(
          (part) => segments.filter((segment) => touches(segment, part, duration)).length,
        ),
      }
    },

    async quality(scope, range, query) {
      return playedHowWell(within(scope, range), query)
    },

    async activity(scope, range, interval) {
      const all = within(scope, range)
      return bucketsOf(interval, all)
        .map((bucket): Activity => {
          const there = all.filter(({ time }) => bucketOf(interval, time) === bucket)
          const views = there.filter(({ kind }) => kind === 'content_view')
          const ids = unique(views.map(({ fields }) => fields.content_id))
          return {
            bucket,
            views: ids
              .map((id) => countViews(views.filter(({ fields }) => fields.content_id === id)))
              .reduce((sum, count) => sum + count, 0),
            viewers: viewersOf(there).length,
          }
        })
        .filter(({ views, viewers }) => views > 0 || viewers > 0)
    },

    async overview(scope, range, query) {
      return viewedOverTime(within(scope, range), query)
    },

    async values(scope, range, query) {
      return valuesIn(within(scope, range), query)
    },

    async realtime(scope, range) {
      const all = within(scope, range)
      const countries = all.flatMap((event) => fieldOf(event, 'country') || [])
      return {
        viewers: viewersOf(all).length,
        lastMinute: all.filter(({ time }) => time >= range.to - 60_000_000).length,
        kinds: mostFrequent(all.map(({ kind }) => kind)).map(([kind, count]) => ({ kind, count })),
        countries: mostFrequent(countries)
          .slice(0, 10)
          .map(([country, count]) => ({ country, count })),
        recent: all
          .sort((a, b) => inOrder(b, a))
          .slice(0, 10)
          .map((event) => ({
            time: event.time,
            kind: event.kind,
            viewer: event.viewer ?? null,
            country: fieldOf(event, 'country') ?? null,
            page: fieldOf(event, 'page') ?? null,
            content_id: fieldOf(event, 'content_id') ?? null,
          })),
      }
    },

    async retention(scope, range, interval) {
      const trails = byViewer(within(scope, range)).map((trail) => bucketsOf(interval, trail))
      const pairs = trails.flatMap((buckets) => buckets.map((bucket) => ({ first: buckets[0]!, bucket })))
      return unique(pairs.map((pair) => JSON.stringify(pair)))
        .map((text): { first: number; bucket: number } => JSON.parse(text))
        .map(({ first, bucket }) => ({
          first,
          bucket,
          viewers: pairs.filter((pair) => pair.first === first && pair.bucket === bucket).length,
        }))
        .sort((a, b) => a.first - b.first || a.bucket - b.bucket)
    },
  }
}

/** Without those that repeat a request which has counted less than a day before or after. */
function counted(lines: readonly EventLine[]): EventLine[] {
  const kept: EventLine[] = []
  for (const line of lines) {
    const repeats = kept.some(
      (earlier) =>
        line.request !== undefined &&
        earlier.request === line.request &&
        earlier.organization === line.organization &&
        Math.abs(earlier.received - line.received) < ONCE_WITHIN,
    )
    if (!repeats) kept.push(line)
  }
  return kept
}

/** By the words of the definition: every first step is tried, and every further step takes the next match. */
function bestChain(trail: Happened[], { steps, window = Number.POSITIVE_INFINITY }: FunnelQuery): Happened[] {
  let best: Happened[] = []
  trail.forEach((start, at) => {
    if (!matches(start, steps[0]!)) return
    const chain = [start]
    let rest = trail.slice(at + 1)
    for (const step of steps.slice(1)) {
      const next = rest.findIndex((event) => matches(event, step))
      if (next < 0 || rest[next]!.time - start.time > window) break
      chain.push(rest[next]!)
      rest = rest.slice(next + 1)
    }
    if (chain.length > best.length) best = chain
  })
  return best
}

function matches(event: Happened, { kind, fields }: FunnelStep): boolean {
  return (
    event.kind === kind && Object.entries(fields).every(([name, value]) => fieldOf(event, name) === value)
  )
}

function countContent(id: string, views: Happened[]): ContentCounts {
  const ofType = (type: string) => views.filter(({ fields }) => fields.view_type === type).length
  return {
    id,
    views: countViews(views),
    viewers: viewersOf(views).length,
    starts: ofType('start'),
    watches: ofType('watch'),
    ends: ofType('end'),
    watched: views.reduce((sum, { watched = 0 }) => sum + BigInt(watched), 0n),
  }
}

interface Span {
  start: bigint
  end: bigint
}

function segmentsOf({ segment_starts = [], segment_ends = [] }: Happened): Span[] {
  return segment_starts.map((start, i) => ({ start: BigInt(start), end: BigInt(segment_ends[i]!) }))
}

/** What most events say, of several the longest; where none says anything, the end of the last segment. */
function durationOf(views: Happened[]): number {
  const said = views.flatMap(({ duration }) => duration || [])
  const times = (value: number) => said.filter((other) => other === value).length
  if (said.length > 0) return said.sort((a, b) => times(b) - times(a) || b - a)[0]!
  return Math.max(0, ...views.flatMap(({ segment_ends = [] }) => segment_ends))
}

/** Where parts begin and end, times their number, so that all are whole numbers. */
function partsOf(duration: number, parts: number | 'seconds'): (Span & { times: bigint })[] {
  const second = 1_000_000n
  if (parts === 'seconds')
    return Array.from({ length: Math.min(Math.ceil(duration / 1e6), MAX_SECONDS) }, (_, i) => ({
      start: BigInt(i) * second,
      end: BigInt(i + 1) * second,
      times: 1n,
    }))
  const whole = BigInt(duration)
  return Array.from({ length: parts }, (_, i) => ({
    start: BigInt(i) * whole,
    end: BigInt(i + 1) * whole,
    times: BigInt(parts),
  }))
}

function touches({ start, end }: Span, part: Span & { times: bigint }, duration: number): boolean {
  const played = end < BigInt(duration) ? end : BigInt(duration)
  return played > start && start * part.times < part.end && played * part.times > part.start
}

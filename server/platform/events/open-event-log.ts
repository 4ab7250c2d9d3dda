import { unavailable } from '../../base/errors.ts'
import { DAY } from './calendar.ts'
import type { Feeder } from './feeder.ts'
import type { EventEngine, EventLog, EventReports, EventScope, TimeRange } from './port.ts'
import { type ReportCost, reportQueue } from './report-queue.ts'
import type { Spool } from './spool/port.ts'

export interface LogParts {
  spool: Spool
  engine: EventEngine
  feeder: Feeder
  /** Has the other processes that write to the same engine load what they have taken. */
  askPeers?(): Promise<void>
  /** After so long a report is ended. */
  patienceSeconds: number
}

const QUEUE = { atOnce: 3, waitingEach: 200 }

/** How much of what it looks at a report works on, beside each other. */
const WEIGHT: Record<keyof EventReports, number> = {
  realtime: 1,
  contents: 2,
  activity: 2,
  overview: 2,
  values: 2,
  heat: 2,
  quality: 2,
  retention: 4,
  funnel: 4,
}
const MOST_DAYS = 366
/** More than a common report over the default range. */
const LARGE = 2 * 31

type AskReport<Query, Answer> = (
  scope: EventScope,
  range: TimeRange,
  query: Query,
  signal?: AbortSignal,
) => Promise<Answer>

export interface OpenLog extends EventLog {
  /** How many reports wait for their turn. */
  waitingReports(): number
}

export function openEventLog({ spool, engine, feeder, askPeers, patienceSeconds }: LogParts): OpenLog {
  let nextArrival = 0
  const queue = reportQueue(QUEUE)

  /** Resolves once the engine has what was acknowledged before. */
  const loadTaken = () => Promise.all([feeder.flush(), askPeers?.()])

  /** What was acknowledged before is in every report. */
  function asked<Query, Answer>(
    report: keyof EventReports,
    ask: AskReport<Query, Answer>,
  ): AskReport<Query, Answer> {
    return async (scope, range, query, gone) => {
      const late = AbortSignal.timeout(patienceSeconds * 1000)
      const signal = gone ? AbortSignal.any([gone, late]) : late
      const answered = loadTaken().then(() =>
        queue.run(costOf(report, scope, range), signal, () => ask(scope, range, query, signal)),
      )
      // The engine may be a while in ending it; nobody waits for that.
      const ended = once(signal).then(() => {
        throw gone?.aborted ? unavailable('nobody waits for this report') : unavailable(TOO_LATE)
      })
      return Promise.race([answered, ended])
    }
  }
  const TOO_LATE = `the report was ended after ${patienceSeconds} s: ask again later, or for a shorter range`

  const reports: EventReports = {
    funnel: asked('funnel', engine.funnel),
    contents: asked('contents', engine.contents),
    heat: asked('heat', engine.heat),
    quality: asked('quality', engine.quality),
    activity: asked('activity', engine.activity),
    overview: asked('overview', engine.overview),
    values: asked('values', engine.values),
    realtime: asked('realtime', engine.realtime),
    retention: asked('retention', engine.retention),
  }

  return {
    take: (line) => spool.append(line),
    arrivals(count) {
      const first = Math.max(nextArrival, Date.now() * 1000)
      nextArrival = first + count
      return first
    },
    async erase(scope) {
      await loadTaken()
      await engine.erase(scope)
    },
    reports,
    waitingReports: queue.waiting,
  }
}

function costOf(
  report: keyof EventReports,
  { organization }: EventScope,
  { from, to }: TimeRange,
): ReportCost {
  const days = Math.min(Math.max(1, (to - from) / DAY), MOST_DAYS)
  const size = WEIGHT[report] * days
  return { organization, size, isLarge: size > LARGE }
}

function once(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

import { unavailable } from '../../base/errors.ts'
import { DAY } from './calendar.ts'
import { EventsUnavailable } from './errors.ts'
import type { Feeder } from './feeder.ts'
import type { ErasedEvents, EventEngine, EventLog, EventReports, EventScope, TimeRange } from './port.ts'
import { type ReportCost, reportQueue } from './report-queue.ts'
import type { Spool } from './spool/port.ts'

export interface LogParts {
  spool: Spool
  engine: EventEngine
  feeder: Feeder
  /** Events are taken once they are in the engine, and not before. */
  isWrittenThrough: boolean
  /** Has the other processes that write to the same engine load what they have taken. */
  askPeers?(): Promise<void>
  /** Takes events that were taken before out of the engine and out of the spools of all processes. */
  erase(erased: ErasedEvents): Promise<void>
  /** After so long a report is ended. */
  patienceSeconds: number
}

/** For an engine that answers slowly; whoever sends events has other things to do. */
const THROUGH_SECONDS = 10
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

export function openEventLog(parts: LogParts): OpenLog {
  const { spool, engine, feeder, askPeers, erase, patienceSeconds, isWrittenThrough } = parts
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

  function arrivals(count: number): number {
    const first = Math.max(nextArrival, Date.now() * 1000)
    nextArrival = first + count
    return first
  }

  return {
    async take(line) {
      await spool.append(line)
      if (isWrittenThrough) await inTime(feeder.flush(), THROUGH_SECONDS)
    },
    arrivals,
    async endOf(events) {
      await loadTaken()
      return Math.max(arrivals(0), (await engine.newest(events)) + 1)
    },
    erase,
    async dump(events, file) {
      await loadTaken()
      return engine.dump(events, file)
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

/** What is late goes on, and is not waited for. */
async function inTime(work: Promise<void>, seconds: number): Promise<void> {
  const late = AbortSignal.timeout(seconds * 1000)
  const message = 'events are kept, but not in the engine yet: send the same request again later'
  await Promise.race([
    work,
    once(late).then(() => {
      throw new EventsUnavailable(message)
    }),
  ])
}

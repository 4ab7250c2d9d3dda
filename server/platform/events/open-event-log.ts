import { EventsUnavailable } from './errors.ts'
import type { Feeder } from './feeder.ts'
import type { EventEngine, EventLog, EventReports } from './port.ts'
import type { Spool } from './spool/port.ts'

export interface LogParts {
  spool: Spool
  engine: EventEngine
  feeder: Feeder
  /** Has the other processes that write to the same engine load what they have taken. */
  askPeers?(): Promise<void>
  /** After so long a report is given up. */
  patienceSeconds: number
}

export function openEventLog({ spool, engine, feeder, askPeers, patienceSeconds }: LogParts): EventLog {
  let nextArrival = 0

  /** What was acknowledged before is in every report. */
  function asked<Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) {
    return (...args: Args): Promise<Answer> => {
      const answered = Promise.all([feeder.flush(), askPeers?.()]).then(() => ask(...args))
      return patiently(answered, patienceSeconds)
    }
  }

  const reports: EventReports = {
    funnel: asked(engine.funnel),
    contents: asked(engine.contents),
    heat: asked(engine.heat),
    activity: asked(engine.activity),
    realtime: asked(engine.realtime),
    retention: asked(engine.retention),
  }

  return {
    take: (line) => spool.append(line),
    arrivals(count) {
      const first = Math.max(nextArrival, Date.now() * 1000)
      nextArrival = first + count
      return first
    },
    reports,
  }
}

function patiently<T>(answer: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EventsUnavailable('the event engine does not answer')),
      seconds * 1000,
    )
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

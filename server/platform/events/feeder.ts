import { type Repeated, repeat } from '../../base/async/repeat.ts'
import { traced } from '../../base/tracing.ts'
import { EngineCrashed, EventsUnavailable } from './errors.ts'
import type { EventEngine, Loaded, Position } from './port.ts'
import type { Spool, SpoolSegment } from './spool/port.ts'

export interface FeederOptions {
  /** Between two looks at the spool. */
  seconds: number
  /** How long segments are kept after they were loaded, for an engine that loses what it has. */
  keepSeconds: number
  /** Those that were loaded are not kept beyond this, all segments together. */
  keepBytes: number
  /** A folder for lines that cannot be loaded. */
  aside: string
  onTrouble(error: Error): void
  onSetAside(message: string): void
}

export interface Feeder {
  /** Resolves once all that is in the spool now is in the engine. */
  flush(): Promise<void>
  /** Bytes of the spool that are not in the engine yet, as far as is known. */
  waiting(): number
  close(): Promise<void>
}

/** How many lines are tried at once after the engine has crashed over them once, twice and so on. */
const LINES_AFTER_CRASHES = [undefined, 100, 10, 1, 1, 1]
/** A trace of its own: requests wait for their lines to be on the disk, not for the engine. */
const LOADING = () => ({ name: 'load events', kind: 'internal' as const, attributes: {}, begins: {} })
/** Of lines that were put aside together, so many are named. */
const NAMED = 3

/** Moves what the spool has taken into the engine, in order, each line once. */
export function startFeeder(spool: Spool, engine: EventEngine, options: FeederOptions): Feeder {
  let reached: Position | undefined
  let isKnown = false
  let running: Promise<void> | undefined
  let troubled = false
  let crashes = 0
  const ticking: Repeated = repeat(options.seconds, tick, () => {})
  void tick().catch(() => {})

  async function tick(): Promise<void> {
    await flush()
    await tidy()
  }

  async function flush(): Promise<void> {
    const target = spool.end()
    if (!target) return
    while (!isKnown || before(reached, target)) {
      running ??= loadAll().finally(() => {
        running = undefined
      })
      await running
    }
  }

  async function loadAll(): Promise<void> {
    try {
      // Asked anew after an error: how far that load came is not known.
      if (!isKnown) reached = await engine.position(spool.id)
      isKnown = true
      for (const segment of [...spool.segments()]) await loadSegment(segment)
      troubled = false
    } catch (error) {
      isKnown = false
      // Once is enough to know; the same again every second would only fill the log.
      if (!troubled) options.onTrouble(error as Error)
      troubled = true
      throw error instanceof EventsUnavailable
        ? error
        : new EventsUnavailable('events cannot be loaded', { cause: error })
    }
  }

  async function loadSegment({ number, path, bytes: end }: SpoolSegment): Promise<void> {
    while (before(reached, { segment: number, offset: end })) {
      const from = reached?.segment === number ? reached.offset : 0
      const lines = LINES_AFTER_CRASHES[crashes]
      // One line alone that has ended the engine three times is at fault.
      const reject = crashes < LINES_AFTER_CRASHES.length ? undefined : 'the engine crashes over it'
      const chunk = { spool: spool.id, segment: number, path, from, to: end, aside: options.aside }
      try {
        const loaded = await traced(LOADING, () =>
          engine.load({ ...chunk, lines: reject ? 1 : lines, reject }),
        )
        report(loaded)
        reached = { segment: loaded.segment, offset: loaded.offset }
        crashes = 0
      } catch (error) {
        if (error instanceof EngineCrashed) crashes++
        throw error
      }
    }
  }

  function report({ aside }: Loaded): void {
    for (const { file, reason } of aside.slice(0, NAMED))
      options.onSetAside(`a request's events cannot be loaded: ${reason}. They were put aside as ${file}.`)
    if (aside.length > NAMED)
      options.onSetAside(`${aside.length - NAMED} further requests were put aside beside them.`)
  }

  /** Oldest first, and only what is loaded; the spool itself keeps the one being written. */
  async function tidy(): Promise<void> {
    const segments = [...spool.segments()]
    let total = segments.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { number, bytes, written } of segments.slice(0, -1)) {
      if (!isKnown || before(reached, { segment: number, offset: bytes })) return
      const isOld = Date.now() - written > options.keepSeconds * 1000
      if (!isOld && total <= options.keepBytes) return
      await spool.remove(number)
      total -= bytes
    }
  }

  return {
    flush,
    waiting: () =>
      spool.segments().reduce((sum, { number, bytes }) => {
        if (!before(reached, { segment: number, offset: bytes })) return sum
        return sum + bytes - (reached?.segment === number ? reached.offset : 0)
      }, 0),
    close: () => ticking.stop(),
  }
}

function before(a: Position | undefined, b: Position): boolean {
  if (!a) return b.offset > 0
  return a.segment < b.segment ? b.offset > 0 : a.segment === b.segment && a.offset < b.offset
}

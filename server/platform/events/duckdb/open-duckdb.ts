import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { EngineCrashed, EventsUnavailable } from '../errors.ts'
import type { EventEngine, EventReports, EventScope, TimeRange } from '../port.ts'
import type { DatabaseOptions } from './child/open-database.ts'
import type { Call, Cancel, EngineAnswer } from './protocol.ts'

export interface DuckDbOptions extends DatabaseOptions {
  onTrouble(message: string): void
}

const RESTART_MS = 1000
/** How a process ends by a fault of its own; whatever kills it from outside says something else. */
const CRASHES: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP'])

const OF_LOADING: ReadonlySet<Call['method']> = new Set([
  'position',
  'load',
  'newest',
  'erase',
  'dump',
  'count',
  'check',
  'close',
])

interface WaitingRequest {
  isReport: boolean
  resolve(value: unknown): void
  reject(error: Error): void
}

/** DuckDB in a process of its own, which is started when it is first needed and again when it is gone. */
export function openDuckDb({ onTrouble, ...options }: DuckDbOptions): EventEngine {
  mkdirSync(path.dirname(options.file), { recursive: true, mode: 0o700 })
  const waiting = new Map<number, WaitingRequest>()
  let child: ChildProcess | undefined
  /** By the clock that is never set back. */
  let lastStart = Number.NEGATIVE_INFINITY
  let lastId = 0
  let closed = false

  function start(): ChildProcess {
    lastStart = performance.now()
    const started = fork(path.join(import.meta.dirname, 'child/main.ts'), [JSON.stringify(options)], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {},
    })
    started.on('message', (answer: EngineAnswer) => {
      if ('setAside' in answer) onTrouble(describe(answer.setAside))
      if ('closed' in answer) onTrouble(`the database of events cannot be opened: ${answer.closed}`)
      if (!('id' in answer)) return
      const call = waiting.get(answer.id)
      waiting.delete(answer.id)
      if ('error' in answer) call?.reject(errorOf(answer.error))
      else call?.resolve(answer.value)
    })
    const gone = (signal?: NodeJS.Signals | null) => {
      if (child !== started) return
      child = undefined
      if (!closed) onTrouble('the process that keeps events has ended; it is started again when it is needed')
      const reason = 'the event engine has stopped'
      // Where a report was under way, it may have been the fault of that.
      const isOfLoad = CRASHES.has(signal ?? '') && [...waiting.values()].every(({ isReport }) => !isReport)
      const error = isOfLoad ? new EngineCrashed(reason) : new EventsUnavailable(reason)
      for (const call of waiting.values()) call.reject(error)
      waiting.clear()
    }
    started.once('exit', (_, signal) => gone(signal)).once('error', () => gone())
    return started
  }

  function call(method: Call['method'], args: unknown[], signal?: AbortSignal): Promise<never> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      // One that ends at once whenever it is started must not keep the machine busy.
      if (closed || (!child && performance.now() - lastStart < RESTART_MS))
        return reject(new EventsUnavailable('the event engine is not running'))
      child ??= start()
      const id = ++lastId
      const isReport = !OF_LOADING.has(method)
      waiting.set(id, { isReport, resolve: resolve as (value: unknown) => void, reject })
      child.send({ id, method, args } satisfies Call)
      signal?.addEventListener('abort', () => {
        if (waiting.has(id)) child?.send({ cancel: id } satisfies Cancel)
      })
    })
  }

  const isThere = () => child !== undefined || existsSync(options.file)

  /** A report, whose last argument is the signal that ends it. */
  const report =
    (method: keyof EventReports) =>
    (scope: EventScope, range: TimeRange, query: unknown, signal?: AbortSignal) =>
      call(method, [scope, range, query], signal)

  return {
    position: (...args) => call('position', args),
    load: (...args) => call('load', args),
    // Where there never was an event, no process is started to find none.
    newest: async (events) => (isThere() ? call('newest', [events]) : 0),
    async erase(events) {
      if (isThere()) await call('erase', [events])
    },
    async dump(events, file) {
      if (isThere()) return call('dump', [events, file])
      await writeFile(file, '', { mode: 0o600 })
      return 0
    },
    count: async (events) => (isThere() ? call('count', [events]) : 0),
    check: () => call('check', []),
    funnel: report('funnel'),
    contents: report('contents'),
    heat: report('heat'),
    quality: report('quality'),
    activity: report('activity'),
    overview: report('overview'),
    values: report('values'),
    realtime: report('realtime'),
    retention: report('retention'),
    async close() {
      const ending = child
      if (ending) await call('close', []).catch(() => {})
      closed = true
      if (!child || !ending) return
      const ended = new Promise((resolve) => ending.once('exit', resolve))
      ending.disconnect()
      await ended
    },
  }
}

/** What may pass by itself: no memory or disk now. */
const PASSING = /^(Out of Memory|IO|FATAL|Interrupt) Error|no space left/i

function errorOf(message: string): Error {
  if (message.startsWith('INTERNAL Error')) return new EngineCrashed(message)
  return PASSING.test(message) ? new EventsUnavailable(message) : new Error(message)
}

function describe({ file, reason }: { file: string; reason: string }): string {
  return `the database of events could not be read (${reason}). It was put aside as ${file}, and a new one is made from what the spool still holds.`
}

import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { mutex } from '../../../../base/async/mutex.ts'
import type { EventEngine } from '../../port.ts'
import type { Call, Cancel, EngineAnswer } from '../protocol.ts'
import { contents } from './contents.ts'
import { count, dump } from './dump.ts'
import { erase, newest } from './erase.ts'
import { funnel } from './funnel.ts'
import { heat } from './heat.ts'
import { load, position } from './load.ts'
import { type DatabaseOptions, openDatabase } from './open-database.ts'
import { overview } from './overview.ts'
import { quality } from './quality.ts'
import { realtime } from './realtime.ts'
import { activity, retention } from './timelines.ts'
import { values } from './values.ts'

/** The process that holds the database: what happens to it does not happen to the service. */

const options = JSON.parse(process.argv[2]!) as DatabaseOptions
// Nobody hears it where the service was killed, perhaps this moment: that is seen as the end of the connection.
const send = (answer: EngineAnswer) =>
  process.connected && process.send!(answer, undefined, undefined, () => {})

const { instance, setAside } = await openDatabase(options).catch((error: Error) => {
  send({ closed: error.message })
  process.disconnect()
  process.exit(1)
})
if (setAside) send({ setAside })

const writer = await instance.connect()
const temporary = path.join(path.dirname(options.file), 'loading.ndjson')

/** Of reports that run: ends them. */
const cancels = new Map<number, () => void>()
const CANCEL_EVERY_MS = 50

/** Each report has a connection of its own, so that they run beside each other and beside loading. */
async function reading<T>(id: number, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const cancelled = new AbortController()
  // Before anything is waited for: a report may be cancelled that has no connection yet.
  cancels.set(id, () => cancelled.abort())
  try {
    const connection = await instance.connect()
    try {
      return await interruptible(connection, cancelled.signal, () => work(connection))
    } finally {
      connection.closeSync()
    }
  } finally {
    cancels.delete(id)
  }
}

async function interruptible<T>(
  connection: DuckDBConnection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  let repeating: NodeJS.Timeout | undefined
  const interrupt = () => {
    connection.interrupt()
    // Again and again: between two of its queries there is nothing to interrupt.
    repeating = setInterval(() => connection.interrupt(), CANCEL_EVERY_MS)
  }
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', interrupt)
    clearInterval(repeating)
  }
}

/** Loads have one connection and one file on the way, so they wait for each other. */
const exclusively = mutex()

type AskedReport<Method extends Call['method']> = (
  id: number,
  ...args: Parameters<EventEngine[Method]>
) => unknown

/** What can be asked, each with the number of the call before its arguments. */
const METHODS: { [Method in Call['method']]: AskedReport<Method> } = {
  position: (_, spool) => exclusively(() => position(writer, spool)),
  load: (_, chunk) =>
    exclusively(() => load({ connection: writer, temporary, isShared: () => cancels.size > 0 }, chunk)),
  newest: (_, events) => exclusively(() => newest(writer, events)),
  erase: (_, events) => exclusively(() => erase(writer, events)),
  dump: (id, events, file) => reading(id, (connection) => dump(connection, events, file)),
  count: (id, events) => reading(id, (connection) => count(connection, events)),
  check: (id) => reading(id, (connection) => connection.run('select 1').then(() => undefined)),
  funnel: (id, scope, range, query) => reading(id, (connection) => funnel(connection, scope, range, query)),
  contents: (id, scope, range, query) =>
    reading(id, (connection) => contents(connection, scope, range, query)),
  heat: (id, scope, range, query) => reading(id, (connection) => heat(connection, scope, range, query)),
  quality: (id, scope, range, query) => reading(id, (connection) => quality(connection, scope, range, query)),
  activity: (id, scope, range, query) =>
    reading(id, (connection) => activity(connection, scope, range, query)),
  overview: (id, scope, range, query) =>
    reading(id, (connection) => overview(connection, scope, range, query)),
  values: (id, scope, range, query) => reading(id, (connection) => values(connection, scope, range, query)),
  realtime: (id, scope, range) => reading(id, (connection) => realtime(connection, scope, range)),
  retention: (id, scope, range, query) =>
    reading(id, (connection) => retention(connection, scope, range, query)),
  /** What is in DuckDB's log goes into its file, so that the next start need not do it. */
  close: () => exclusively(async () => void (await writer.run('checkpoint'))),
}

// After an error of these DuckDB refuses everything; at the next start the file is checked.
const LASTING = /^(FATAL|INTERNAL|IO) Error|database has been invalidated/

process.on('message', async (message: Call | Cancel) => {
  if ('cancel' in message) return cancels.get(message.cancel)?.()
  const { id, method, args } = message
  try {
    const value = await (METHODS[method] as (...args: unknown[]) => unknown)(id, ...args)
    send({ id, value })
  } catch (error) {
    const { message } = error as Error
    send({ id, error: message })
    if (LASTING.test(message)) end()
  }
})

function end(): void {
  // A report that runs would keep the database open, and the next service out of it. The file is whole at any moment.
  if (cancels.size > 0) process.kill(process.pid, 'SIGKILL')
  instance.closeSync()
  process.exit(0)
}

process.on('disconnect', end)
process.on('SIGTERM', end)
// Ctrl-C in a terminal reaches the whole group; the service says when it is time.
process.on('SIGINT', () => {})

import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventEngine } from '../../port.ts'
import type { Answer, Call, Cancel } from '../protocol.ts'
import { contents } from './contents.ts'
import { funnel } from './funnel.ts'
import { heat } from './heat.ts'
import { load, position } from './load.ts'
import { type DatabaseOptions, openDatabase } from './open-database.ts'
import { realtime } from './realtime.ts'
import { activity, retention } from './timelines.ts'

/** The process that holds the database: what happens to it does not happen to the service. */

const options = JSON.parse(process.argv[2]!) as DatabaseOptions
const send = (answer: Answer) => process.send!(answer)

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
  const connection = await instance.connect()
  let repeating: NodeJS.Timeout | undefined
  // Again and again: between two of its queries there is nothing to interrupt.
  cancels.set(id, () => {
    connection.interrupt()
    repeating ??= setInterval(() => connection.interrupt(), CANCEL_EVERY_MS)
  })
  try {
    return await work(connection)
  } finally {
    cancels.delete(id)
    clearInterval(repeating)
    connection.closeSync()
  }
}

/** Loads have one connection and one file on the way, so they wait for each other. */
let loading: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = loading.then(work)
  loading = done.catch(() => {})
  return done
}

type Asked<Method extends Call['method']> = (id: number, ...args: Parameters<EventEngine[Method]>) => unknown

/** What can be asked, each with the number of the call before its arguments. */
const METHODS: { [Method in Call['method']]: Asked<Method> } = {
  position: (_, spool) => inTurn(() => position(writer, spool)),
  load: (_, chunk) =>
    inTurn(() => load({ connection: writer, temporary, isShared: () => cancels.size > 0 }, chunk)),
  check: (id) => reading(id, (connection) => connection.run('select 1').then(() => undefined)),
  funnel: (id, scope, range, query) => reading(id, (connection) => funnel(connection, scope, range, query)),
  contents: (id, scope, range, query) =>
    reading(id, (connection) => contents(connection, scope, range, query)),
  heat: (id, scope, range, query) => reading(id, (connection) => heat(connection, scope, range, query)),
  activity: (id, scope, range, query) =>
    reading(id, (connection) => activity(connection, scope, range, query)),
  realtime: (id, scope, range) => reading(id, (connection) => realtime(connection, scope, range)),
  retention: (id, scope, range, query) =>
    reading(id, (connection) => retention(connection, scope, range, query)),
  /** What is in DuckDB's log goes into its file, so that the next start need not do it. */
  close: () => inTurn(async () => void (await writer.run('checkpoint'))),
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
  instance.closeSync()
  process.exit(0)
}

process.on('disconnect', end)
process.on('SIGTERM', end)
// Ctrl-C in a terminal reaches the whole group; the service says when it is time.
process.on('SIGINT', () => {})

import path from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { EventEngine } from '../../port.ts'
import type { Answer, Call } from '../protocol.ts'
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

/** Each report has a connection of its own, so that they run beside each other and beside loading. */
let reports = 0
async function reading<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  reports++
  try {
    const connection = await instance.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  } finally {
    reports--
  }
}

/** Loads have one connection and one file on the way, so they wait for each other. */
let loading: Promise<unknown> = Promise.resolve()
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = loading.then(work)
  loading = done.catch(() => {})
  return done
}

const engine: EventEngine = {
  position: (spool) => inTurn(() => position(writer, spool)),
  load: (chunk) => inTurn(() => load({ connection: writer, temporary, isShared: () => reports > 0 }, chunk)),
  check: () => reading(async (connection) => void (await connection.run('select 1'))),
  funnel: (...query) => reading((connection) => funnel(connection, ...query)),
  contents: (...query) => reading((connection) => contents(connection, ...query)),
  heat: (...query) => reading((connection) => heat(connection, ...query)),
  activity: (...query) => reading((connection) => activity(connection, ...query)),
  realtime: (...query) => reading((connection) => realtime(connection, ...query)),
  retention: (...query) => reading((connection) => retention(connection, ...query)),
  /** What is in DuckDB's log goes into its file, so that the next start need not do it. */
  close: () => inTurn(async () => void (await writer.run('checkpoint'))),
}

// After an error of these DuckDB refuses everything; at the next start the file is checked.
const LASTING = /^(FATAL|INTERNAL|IO) Error|database has been invalidated/

process.on('message', async ({ id, method, args }: Call) => {
  try {
    const value = await (engine[method] as (...args: unknown[]) => Promise<unknown>)(...args)
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

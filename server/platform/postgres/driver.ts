import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A piece of the driver's source, which is there exactly once, and what takes its place. */
interface Repair {
  file: 'connection.js' | 'index.js'
  find: string
  put: string
}

const REPAIRS: Repair[] = [
  {
    // Whatever was asked is answered, also where the connection was closed in good order before it was
    // ready or where something was asked between its breaking and its end. Then nothing of it remains:
    // bytes that waited to be written would keep everything from being sent on the next connection.
    file: 'connection.js',
    find: `    if (initial)
      return reconnect()

    !hadError && (query || sent.length) && error(Errors.connection('CONNECTION_CLOSED', options, socket))
`,
    put: `    chunk = nextWriteTimer = null
    if (initial && (hadError || terminated))
      return reconnect()

    const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
    errored(lost)
    while (sent.length)
      queryError(sent.shift(), lost)
    query = results = errorResponse = final = null
    result = new Result()
    rows = 0
`,
  },
  {
    // Nobody waits for this; the query that it goes before is told of the loss by itself.
    file: 'connection.js',
    find: 'return fetchArrayTypes()',
    put: 'return fetchArrayTypes().catch(noop)',
  },
  {
    // A transaction ends with its connection: what it says after that must not reach whoever has it next.
    file: 'index.js',
    find: 'new Promise((_, reject) => connection.onclose = reject)',
    put: `new Promise((_, reject) => connection.onclose = (error) => {
          lost = error
          while (queries.length)
            queries.shift().reject(error)
          reject(error)
        })`,
  },
  {
    file: 'index.js',
    find: `    let savepoints = 0
      , connection
`,
    put: `    let savepoints = 0
      , lost = null
      , connection
`,
  },
  {
    file: 'index.js',
    find: `uncaughtError || (uncaughtError = e))
        c.queue === full
          ? queries.push(q)`,
    put: `uncaughtError || (uncaughtError = e))
        lost
          ? q.reject(lost)
          : c.queue === full
          ? queries.push(q)`,
  },
]

const DRIVER = /\/node_modules\/postgres\/src\/(.+)$/

function repaired(url: string, repairs: Repair[]): string {
  let source = readFileSync(fileURLToPath(url), 'utf8')
  for (const { file, find, put } of repairs) {
    if (source.split(find).length !== 2)
      throw new Error(`the database driver's ${file} has changed: look whether it still needs its repairs`)
    source = source.replace(find, () => put)
  }
  return source
}

let made = 0
const hooks = registerHooks({
  load(url, context, nextLoad) {
    const repairs = REPAIRS.filter(({ file }) => file === DRIVER.exec(url)?.[1])
    if (repairs.length === 0) return nextLoad(url, context)
    made += repairs.length
    return { format: 'module', source: repaired(url, repairs), shortCircuit: true }
  },
})

/**
 * The database driver, with what it gets wrong about lost connections put right as it is loaded. As
 * published, a connection lost at a bad moment ends the process, never answers a query, or runs the
 * rest of a dead transaction inside the next one. See docs/decisions.
 */
export const { default: postgres } = await import('postgres')
hooks.deregister()
if (made !== REPAIRS.length) throw new Error('the database driver was loaded without its repairs')

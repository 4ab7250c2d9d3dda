import http from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

// A process of its own: `front.ts <folder with node_modules/chdb> <folder for data>`. Prints the port that it listens on.

const [packages, data] = process.argv.slice(2) as [string, string]

interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
}
const { Session } = createRequire(`${packages}/`)('chdb') as { Session: new (folder: string) => Session }
const session = new Session(data)

/** What ClickHouse's HTTP interface knows and a statement inside the process does not. */
const OF_HTTP = new Set(['query', 'query_id', 'wait_end_of_query', 'max_query_size'])

async function answer(request: http.IncomingMessage): Promise<Uint8Array> {
  const { searchParams } = new URL(request.url!, 'http://front')
  const sent = await buffer(request)
  const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent).toString()
  const query = searchParams.get('query')
  for (const [name, value] of searchParams)
    if (!OF_HTTP.has(name)) await session.queryAsync(`SET ${name} = ${Number(value)}`, { format: 'Null' })
  const sql = query ? (body ? `${query}\n${body}` : query) : body
  return (await session.queryAsync(sql, { format: 'TabSeparated' })).bytes()
}

/** One statement after another: settings are the session's. */
let last: Promise<unknown> = Promise.resolve()
const server = http.createServer((request, response) => {
  const answered = last.then(() => answer(request))
  last = answered.catch(() => {})
  answered.then(
    (bytes) => response.end(bytes),
    (error: Error) => response.writeHead(500).end(error.message.replace(/^Query failed: /, '')),
  )
})
await session.queryAsync('SET max_query_size = 67108864', { format: 'Null' })
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as { port: number }).port}\n`)
})

import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { EventsUnavailable } from '../errors.ts'
import { ClickHouseError, errorOf, unreachable } from './errors.ts'
import { killEverywhere } from './kill.ts'

export interface ClientOptions {
  /** One for each shard, in order. */
  urls: readonly string[]
  user: string
  password: string
}

export type ResultRow = Record<string, string | null>

/** Statements over HTTP, each to one server, named by the number of its shard. */
export interface Client {
  shards: number
  /** The same client, whose queries are ended in the servers once the signal is aborted. */
  until(signal: AbortSignal | undefined): Client
  /** Answers all rows; numbers come as text, so that none loses digits. */
  query(shard: number, sql: string): Promise<ResultRow[]>
  /** Answers bytes in ClickHouse's RowBinary, as they come. */
  stream(shard: number, sql: string): AsyncIterable<Buffer>
  run(shard: number, sql: string): Promise<void>
  /** Puts in rows of TabSeparated, all of them or none. */
  insert(shard: number, into: string, rows: string | Buffer, queryId?: string): Promise<void>
}

const compress = promisify(gzip)

const TIMEOUT_MS = 120_000

/** Everything in one block, which MergeTree writes as one part: its rows appear together or not at all. */
const ONE_BLOCK = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '100000000000',
}

export function clickHouseClient(options: ClientOptions, ended?: AbortSignal): Client {
  const { urls, user, password } = options
  const credentials = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }

  async function post(
    shard: number,
    settings: Record<string, string>,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const url = new URL(urls[shard]!)
    // The answer waits until the end of the query: begun earlier it could not tell of an error any more.
    const named = ended && { query_id: endedWith(ended), max_execution_time: String(TIMEOUT_MS / 1000) }
    const parameters = { wait_end_of_query: '1', max_query_size: String(2 ** 26), ...named, ...settings }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...credentials, ...headers },
        // A view of the same bytes: fetch knows no Buffer.
        body: typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.length),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(ended ? [ended] : [])]),
      })
      if (answer.status !== 200) throw errorOf(answer.status, await answer.text())
      return answer
    } catch (error) {
      if (error instanceof ClickHouseError || error instanceof EventsUnavailable) throw error
      throw unreachable(urls[shard]!, error)
    }
  }

  /** A name for a query. A server goes on with it when its connection is closed, so it is told. */
  function endedWith(signal: AbortSignal): string {
    const id = `marquee-report-${randomUUID()}`
    const { query } = clickHouseClient(options)
    const ask = async (shard: number, sql: string) => Number((await query(shard, sql))[0]?.running ?? 0)
    signal.addEventListener('abort', () => killEverywhere(urls.length, id, ask), { once: true })
    return id
  }

  async function text(shard: number, sql: string): Promise<string> {
    const answer = await post(shard, { output_format_json_quote_64bit_integers: '1' }, sql)
    try {
      return await answer.text()
    } catch (error) {
      throw unreachable(urls[shard]!, error)
    }
  }

  return {
    shards: urls.length,

    until: (signal) => clickHouseClient(options, signal),

    async query(shard, sql) {
      const lines = (await text(shard, `${sql} FORMAT JSONEachRow`)).split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },

    async *stream(shard, sql) {
      const answer = await post(shard, {}, `${sql} FORMAT RowBinary`)
      try {
        for await (const bytes of answer.body!)
          yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      } catch (error) {
        throw unreachable(urls[shard]!, error)
      }
    },

    async run(shard, sql) {
      await text(shard, sql)
    },

    async insert(shard, into, rows, queryId) {
      // Compressed, also because a body that is cut off is then an error instead of fewer rows.
      const body = await compress(rows, { level: 1 })
      const settings = { ...ONE_BLOCK, ...(queryId && { query_id: queryId }) }
      const query = `INSERT INTO ${into} FORMAT TabSeparated`
      const answer = await post(shard, { ...settings, query }, body, { 'Content-Encoding': 'gzip' })
      await answer.arrayBuffer().catch((error) => {
        throw unreachable(urls[shard]!, error)
      })
    },
  }
}

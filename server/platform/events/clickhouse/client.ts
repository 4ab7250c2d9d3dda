import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { traced } from '../../../base/tracing.ts'
import { EventsUnavailable } from '../errors.ts'
import { ClickHouseError, errorOf, unreachable } from './errors.ts'
import { killEverywhere } from './kill.ts'
import { askOneOf, type Replicas } from './replicas.ts'

export interface ClientOptions {
  /** Of each shard, in order, the addresses of its replicas. */
  shards: readonly Replicas[]
  user: string
  password: string
}

/** What a client that knows one server calls it. */
export const ONLY = 0

export type ResultRow = Record<string, string | null>

/** Statements over HTTP, each to one server of a shard: of its replicas the one that answered last, or else the next. */
export interface Client {
  shards: number
  isReplicated(shard: number): boolean
  /** For messages: of all its replicas. */
  hostsOf(shard: number): string
  /** Each replica of a shard as the only server there is. */
  replicasOf(shard: number): Client[]
  /** The same client, whose queries are ended in the servers once the signal is aborted. */
  until(signal: AbortSignal | undefined): Client
  /** Answers all rows; numbers come as text, so that none loses digits. */
  query(shard: number, sql: string): Promise<ResultRow[]>
  /** Answers bytes in ClickHouse's RowBinary, as they come. */
  stream(shard: number, sql: string): AsyncIterable<Buffer>
  /** Answers rows as lines of JSON, as they come and however long that takes; numbers are written as numbers. */
  lines(shard: number, sql: string, options: { sortInMemory: number }): AsyncIterable<Buffer>
  run(shard: number, sql: string, options?: { withinMs?: number }): Promise<void>
  /** Puts in rows of TabSeparated, all of them or none. */
  insert(shard: number, into: string, rows: string | Buffer, queryId?: string): Promise<void>
}

const compress = promisify(gzip)

const TIMEOUT_MS = 120_000
/** Of all events there are. */
const LONG_MS = 24 * 3_600_000

/** Of other shards, where there is a choice, no replica is read that lacks what another took a second ago. */
const NOT_STALE = { max_replica_delay_for_distributed_queries: '1' }

interface SentStatement {
  body: string | Buffer
  settings?: Record<string, string>
  headers?: Record<string, string>
  timeoutMs?: number
}

/** Everything in one block, which MergeTree writes as one part: its rows appear together or not at all. */
const ONE_BLOCK = {
  max_insert_block_size: '100000000',
  min_insert_block_size_rows: '100000000',
  min_insert_block_size_bytes: '100000000000',
}

export function clickHouseClient(options: ClientOptions, ended?: AbortSignal): Client {
  const { shards, user, password } = options
  const credentials = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }

  /** Of a statement its kind alone: values stand in its text. */
  function post<T>(shard: number, sent: SentStatement, read: (answer: Response) => Promise<T>): Promise<T> {
    const { settings, body } = sent
    const text = settings?.query ?? (typeof body === 'string' ? body.slice(0, 100) : '')
    const [kind = ''] = /\w+/.exec(text) ?? []
    const attributes = { 'db.system.name': 'clickhouse', 'marquee.shard': shard }
    return traced(
      () => ({ name: `clickhouse ${kind.toLowerCase()}`.trim(), kind: 'client', attributes }),
      () => askOneOf(shards[shard]!, (url) => postTo(url, sent, read)),
    )
  }

  async function postTo<T>(
    address: string,
    { settings, body, headers, timeoutMs = TIMEOUT_MS }: SentStatement,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const url = new URL(address)
    // The answer waits until the end of the query: begun earlier it could not tell of an error any more.
    const named = ended && { query_id: endedWith(ended), max_execution_time: String(TIMEOUT_MS / 1000) }
    const parameters = {
      wait_end_of_query: '1',
      max_query_size: String(2 ** 26),
      ...NOT_STALE,
      ...named,
      ...settings,
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...credentials, ...headers },
        // A view of the same bytes: fetch knows no Buffer.
        body: typeof body === 'string' ? body : new Uint8Array(body.buffer, body.byteOffset, body.length),
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(ended ? [ended] : [])]),
      })
      if (answer.status !== 200) throw errorOf(answer.status, await answer.text())
      return await read(answer)
    } catch (error) {
      if (error instanceof ClickHouseError || error instanceof EventsUnavailable) throw error
      throw unreachable(address, error)
    }
  }

  /** A name for a query. A server goes on with it when its connection is closed, so each is told. */
  function endedWith(signal: AbortSignal): string {
    const id = `marquee-report-${randomUUID()}`
    const servers = shards.flat().map((url) => [url])
    const { query } = clickHouseClient({ ...options, shards: servers })
    const ask = async (server: number, sql: string) => Number((await query(server, sql))[0]?.running ?? 0)
    signal.addEventListener('abort', () => killEverywhere(servers.length, id, ask), { once: true })
    return id
  }

  function text(shard: number, sql: string, timeoutMs?: number): Promise<string> {
    const settings = { output_format_json_quote_64bit_integers: '1' }
    return post(shard, { settings, body: sql, timeoutMs }, (answer) => answer.text())
  }

  async function* bytesOf(shard: number, sent: SentStatement): AsyncGenerator<Buffer> {
    const answer = await post(shard, sent, async (answer) => answer)
    try {
      for await (const bytes of answer.body!)
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      throw unreachable(answer.url, error)
    }
  }

  return {
    shards: shards.length,

    isReplicated: (shard) => shards[shard]!.length > 1,

    hostsOf: (shard) => shards[shard]!.map((url) => new URL(url).host).join(', '),

    replicasOf: (shard) =>
      shards[shard]!.map((url) => clickHouseClient({ ...options, shards: [[url]] }, ended)),

    until: (signal) => clickHouseClient(options, signal),

    async query(shard, sql) {
      const lines = (await text(shard, `${sql} FORMAT JSONEachRow`)).split('\n')
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
    },

    stream: (shard, sql) => bytesOf(shard, { body: `${sql} FORMAT RowBinary` }),

    lines(shard, sql, { sortInMemory }) {
      const settings = {
        wait_end_of_query: '0',
        output_format_json_quote_64bit_integers: '0',
        max_bytes_before_external_sort: String(sortInMemory),
      }
      return bytesOf(shard, { settings, body: `${sql} FORMAT JSONEachRow`, timeoutMs: LONG_MS })
    },

    async run(shard, sql, { withinMs } = {}) {
      await text(shard, sql, withinMs)
    },

    async insert(shard, into, rows, queryId) {
      const query = `INSERT INTO ${into} FORMAT TabSeparated`
      const settings = { ...ONE_BLOCK, ...(queryId && { query_id: queryId }), query }
      // Compressed, also because a body that is cut off is then an error instead of fewer rows.
      const body = await compress(rows, { level: 1 })
      const headers = { 'Content-Encoding': 'gzip' }
      await post(shard, { settings, body, headers }, (answer) => answer.arrayBuffer())
    },
  }
}

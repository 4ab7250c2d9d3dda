import { Client, type ClientConfig, DatabaseError, Query } from 'pg'
import { columnTypes } from './columns.ts'
import { connectionFailure, DatabaseUnavailable, endsConnection, translate } from './errors.ts'
import { checkFraming } from './framing.ts'
import type { Rows } from './query.ts'
import type { Bound } from './statement.ts'

/** Long enough to outlive a restart of the server, short enough that a caller hears of an outage. */
export const CONNECT_TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 60_000

interface StatementAnswer {
  command: string
  rowCount: number | null
  rows: object[]
}

/** Called once: with what went wrong, or with the last answer to what was sent. */
export type Settle = (error: Error | undefined, answer?: StatementAnswer) => void

/** How a statement is sent: under a name, or parsed for this once; or as text that may be several statements. */
export type Sending = { text: string; values: Bound[]; name: string | undefined } | { text: string }

/** A connection that answers what it is sent in that order. Nobody waits for an answer to send more. */
export class Connection {
  /** How many statements are sent and not answered. */
  pending = 0
  /** Why it can be used no more. */
  lost: Error | undefined
  onLost: (error: Error) => void = () => {}
  onNotification: (channel: string, payload: string) => void = () => {}
  readonly #client: Client
  #leaving: Error | undefined
  #isCorked = false
  #answeredAt = 0

  constructor(config: ClientConfig) {
    this.#client = new Client({
      ...config,
      pipeline: true,
      types: columnTypes,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    this.#client.on('error', (error) => this.lose(error))
    this.#client.on('end', () => this.lose(new Error('the connection was closed')))
    this.#client.on('notification', ({ channel, payload }) => this.onNotification(channel, payload ?? ''))
    // A server that has said its last word hears none; whoever still waits is told at once.
    const { stream } = this.#client.connection
    stream.on('end', () => stream.destroy())
  }

  async open(): Promise<void> {
    try {
      await this.#client.connect()
    } catch (error) {
      this.destroy()
      throw connectionFailure(error)
    }
    if (this.lost) throw this.lost
    const isFramed = checkFraming()
    this.#client.connection.stream.on('data', (chunk: Buffer) => {
      if (!isFramed(chunk)) this.lose(new Error('the server answers what is not of PostgreSQL'))
    })
  }

  send(sending: Sending, settle: Settle): void {
    const refused = this.lost ?? this.#leaving
    if (refused) {
      settle(refused)
      return
    }
    if (this.pending++ === 0) this.#answeredAt = performance.now()
    this.#cork()
    this.#client.query(
      new Sent(sending, (error, answer) => {
        this.pending--
        this.#answeredAt = performance.now()
        if (!error) return settle(undefined, Array.isArray(answer) ? answer.at(-1) : answer)
        // Nothing more is to be sent on it.
        if (error instanceof DatabaseError && endsConnection(error)) this.lose(error)
        settle(error instanceof DatabaseError || !this.lost ? (translate(error) as Error) : this.lost)
      }),
    )
  }

  /** For how long it has been busy with one statement. */
  get busyMs(): number {
    return this.pending === 0 ? 0 : performance.now() - this.#answeredAt
  }

  /** Whether a transaction is open on it, as of the last answer. */
  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }

  /** Takes leave once everything sent is answered. */
  async close(): Promise<void> {
    // Whoever comes too late is told as if the server were gone: here it is.
    this.#leaving = new DatabaseUnavailable(new Error('the connection is being closed'))
    if (!this.lost) await this.#client.end()
  }

  /** Whatever is not answered by now is rejected. */
  destroy(): void {
    this.lose(new Error('the connection was closed'))
  }

  /** It can be used no more, and whoever waits is told why. */
  lose(error: Error): void {
    if (this.lost) return
    this.lost = new DatabaseUnavailable(error)
    this.#client.connection.stream.destroy()
    this.onLost(this.lost)
  }

  /** What is sent in one turn of the event loop is written at once: each write costs more than a statement. */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { stream } = this.#client.connection
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }
}

/** The driver's query, made without the copying that its own way of naming one costs. */
class Sent extends Query {
  declare name: string | undefined
  declare queryMode: string | undefined

  constructor(
    sending: Sending,
    settle: (error: Error | undefined, answer?: StatementAnswer | StatementAnswer[]) => void,
  ) {
    const hasValues = 'values' in sending
    super(sending.text, hasValues ? sending.values : [], settle as never)
    if (!hasValues) return
    this.name = sending.name
    this.queryMode = 'extended'
  }
}

/** Rows as a caller sees them. */
export function rowsOf({ rows, rowCount }: StatementAnswer): Rows<object[]> {
  return Object.defineProperty(rows, 'count', { value: rowCount ?? 0 }) as Rows<object[]>
}

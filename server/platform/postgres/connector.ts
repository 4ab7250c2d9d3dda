import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresAddress, waysTo } from './address.ts'
import { Connection } from './connection.ts'
import { DatabaseUnavailable } from './errors.ts'

const FIRST_BACKOFF_MS = 50
const LONGEST_BACKOFF_MS = 1000
const NO_TLS = 'The server does not support SSL connections'

/** Opens connections to one database, with a backoff that all who want one share. */
export class Connector {
  readonly #ways: ReturnType<typeof waysTo>
  readonly #opening = new Set<Connection>()
  readonly #closing = new AbortController()
  #failures = 0
  #notBefore = 0

  constructor(address: PostgresAddress) {
    this.#ways = waysTo(address)
  }

  async open(): Promise<Connection> {
    const pause = this.#notBefore - performance.now()
    if (pause > 0) await sleep(pause, undefined, { signal: this.#closing.signal }).catch(() => {})
    if (this.#closing.signal.aborted) throw closed()
    try {
      const connection = await this.#try()
      this.#failures = 0
      return connection
    } catch (error) {
      const backoff = FIRST_BACKOFF_MS * 2 ** Math.min(this.#failures++, 10)
      this.#notBefore = performance.now() + Math.min(backoff, LONGEST_BACKOFF_MS)
      throw error
    }
  }

  /** Whoever waits for a connection is told that there will be none. */
  close(): void {
    this.#closing.abort()
    for (const connection of this.#opening) connection.destroy()
  }

  async #try(): Promise<Connection> {
    const connection = new Connection(this.#ways[0]!)
    this.#opening.add(connection)
    try {
      await connection.open()
      return connection
    } catch (error) {
      if (this.#ways.length === 1 || (error as Error).message !== NO_TLS) throw error
      this.#ways.shift()
    } finally {
      this.#opening.delete(connection)
    }
    return this.#try()
  }
}

/** What is asked of a client that was closed. */
export function closed(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('the client of the database was closed'))
}

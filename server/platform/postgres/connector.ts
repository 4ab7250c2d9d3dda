import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientConfig, DatabaseError } from 'pg'
import { type PostgresAddress, waysTo } from './address.ts'
import { Connection } from './connection.ts'
import { DatabaseUnavailable, isRefusedClient } from './errors.ts'

const FIRST_BACKOFF_MS = 50
const LONGEST_BACKOFF_MS = 1000
const WATCH_MS = 1000
/** From then on it is asked whether the server can be reached at all: a network that loses everything tells nobody. */
const SILENCE_MS = 3000
/** One may fail for want of time: of this process, which may be busy, too. */
const PROBES = 2
const NO_TLS = 'The server does not support SSL connections'

/** Opens connections to one database, with a backoff that all who want one share. */
export class Connector {
  #ways: ClientConfig[]
  readonly #opening = new Set<Connection>()
  readonly #open = new Set<Connection>()
  readonly #closing = new AbortController()
  #watch: NodeJS.Timeout | undefined
  #isProbing = false
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
      this.#open.add(connection)
      this.#watch ??= setInterval(() => void this.#lookForSilence(), WATCH_MS).unref()
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
    clearInterval(this.#watch)
    for (const connection of this.#opening) connection.destroy()
  }

  /** Gives up all connections where one is not answered and no other can be opened: the system would wait a quarter of an hour. */
  async #lookForSilence(): Promise<void> {
    for (const connection of this.#open) if (connection.lost) this.#open.delete(connection)
    const silent = [...this.#open].filter(({ busyMs }) => busyMs >= SILENCE_MS)
    if (silent.length === 0 || this.#isProbing) return
    this.#isProbing = true
    let failed = 0
    while (failed < PROBES && silent.some(({ busyMs }) => busyMs >= SILENCE_MS) && !(await this.#answers()))
      failed++
    this.#isProbing = false
    if (failed === PROBES)
      for (const connection of this.#open) connection.lose(new Error('the server does not answer'))
  }

  /** Whether the server says anything to who comes anew; a refusal is an answer. */
  async #answers(): Promise<boolean> {
    try {
      const connection = await this.#try()
      connection.close().catch(() => {})
      return true
    } catch (error) {
      return (error as Error).cause instanceof DatabaseError || error instanceof DatabaseError
    }
  }

  /** Tries the ways one after the other; the one that the server takes is the first to be tried from then on. */
  async #try(): Promise<Connection> {
    const ways = this.#ways
    for (const [i, way] of ways.entries()) {
      try {
        const connection = await this.#tryBy(way)
        if (i > 0) this.#ways = [way, ...ways.filter((other) => other !== way)]
        return connection
      } catch (error) {
        if (i === ways.length - 1 || !isAboutTls(error)) throw error
      }
    }
    throw closed()
  }

  async #tryBy(way: ClientConfig): Promise<Connection> {
    const connection = new Connection(way)
    this.#opening.add(connection)
    try {
      await connection.open()
      return connection
    } finally {
      this.#opening.delete(connection)
    }
  }
}

/** Whether the server has no TLS, or does not let in who comes with it, or without it. */
function isAboutTls(error: unknown): boolean {
  return (error as Error).message === NO_TLS || isRefusedClient(error)
}

/** What is asked of a client that was closed. */
export function closed(): DatabaseUnavailable {
  return new DatabaseUnavailable(new Error('the client of the database was closed'))
}

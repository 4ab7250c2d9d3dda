import { setTimeout as sleep } from 'node:timers/promises'
import { traced } from '../../base/tracing.ts'
import { type Connection, rowsOf } from './connection.ts'
import { type Connector, closed } from './connector.ts'
import { isUndone, MOST_TRIES } from './errors.ts'
import type { StatementNames } from './names.ts'
import { isOtherPlan } from './pipelines.ts'
import type { Rows } from './query.ts'
import { spanOf, TRANSACTION } from './span-of.ts'
import type { Statement } from './statement.ts'
import { type Tag, tagFor } from './tag.ts'

export type Body<T> = (tx: Tag) => T | Promise<T>
/** What a body that answers several promises at once gives. */
export type Settled<T> = T extends readonly unknown[]
  ? { -readonly [K in keyof T]: Awaited<T[K]> }
  : Awaited<T>

/** Those that undo each other in the same moment try again in different ones. */
const LONGEST_PAUSE_MS = 20

interface WaitingTransaction {
  resolve(connection: Connection): void
  reject(error: unknown): void
}

const UNDONE = Symbol('undone for the sake of another')

/** Transactions, each with a connection to itself; who finds none waits in line for one. */
export class Transactions {
  readonly #connector: Connector
  readonly #names: StatementNames
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()
  readonly #waiting: WaitingTransaction[] = []
  #opening = 0
  #running = 0
  #closed = false
  #onIdle: (() => void) | undefined

  constructor(connector: Connector, names: StatementNames, max: number) {
    this.#connector = connector
    this.#names = names
    this.#max = max
  }

  /** With the wait for a connection. */
  begin<T>(body: Body<T>): Promise<Settled<T>> {
    return traced(TRANSACTION, () => this.#begin(body))
  }

  async #begin<T>(body: Body<T>): Promise<Settled<T>> {
    if (this.#closed) throw closed()
    this.#running++
    try {
      for (let tries = 1; ; tries++) {
        const outcome = await this.#once(body, tries < MOST_TRIES)
        if (outcome !== UNDONE) return outcome
        await sleep(Math.random() * LONGEST_PAUSE_MS * tries)
      }
    } finally {
      this.#running--
      this.#tellIfIdle()
    }
  }

  /** Takes no more, and resolves when all have ended. */
  finish(): Promise<void> {
    this.#closed = true
    return new Promise((resolve) => {
      this.#onIdle = resolve
      this.#tellIfIdle()
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((connection) => connection.close()))
  }

  destroy(): void {
    for (const connection of this.#all) connection.destroy()
    this.#rejectWaiting(closed())
  }

  async #once<T>(body: Body<T>, mayTryAgain: boolean): Promise<Settled<T> | typeof UNDONE> {
    const connection = await this.#take()
    try {
      return await this.#run(connection, body, mayTryAgain)
    } finally {
      this.#giveBack(connection)
    }
  }

  async #run<T>(
    connection: Connection,
    body: Body<T>,
    mayTryAgain: boolean,
  ): Promise<Settled<T> | typeof UNDONE> {
    let over: Error | undefined
    let failed: unknown
    const run = (statement: Statement, isText: boolean) => {
      if (over) return Promise.reject(over)
      const answer = traced(spanOf(statement), () => this.#send(connection, statement, isText))
      answer.catch((error) => {
        failed ??= error
      })
      return answer
    }
    const tx = tagFor(
      (statement) => run(statement, false),
      (statement) => run(statement, true),
    )
    try {
      await command(connection, 'begin')
      const result = await untilLost(connection, () => settle(body(tx)))
      over = new Error('the transaction has ended')
      // The server commits nothing where a statement has failed, and does not call that an error.
      const committed = command(connection, 'commit')
      // What is put off until then can be undone there as well.
      committed.catch((error) => {
        failed ??= error
      })
      if ((await committed) !== 'COMMIT') throw failed ?? new Error('the transaction was rolled back')
      return result
    } catch (error) {
      over = connection.lost ?? new Error('the transaction has ended')
      if (!connection.lost) await command(connection, 'rollback').catch(() => {})
      // Only where a statement of its own was: a body may be about other transactions as well.
      if (mayTryAgain && isUndone(failed)) return UNDONE
      throw error
    }
  }

  #send(connection: Connection, statement: Statement, isText: boolean): Promise<Rows<object[]>> {
    const { text, values, named } = statement
    const name = named ? this.#names.of(text) : undefined
    return new Promise((resolve, reject) => {
      connection.send(isText ? { text } : { text, values, name }, (error, answer) => {
        if (!error) return resolve(rowsOf(answer!))
        // The transaction has failed; the next one gets a new plan.
        if (name && isOtherPlan(error)) this.#names.renew(text, name)
        reject(error)
      })
    })
  }

  #take(): Promise<Connection> {
    const connection = this.#waiting.length === 0 ? this.#idle.pop() : undefined
    if (connection) return Promise.resolve(connection)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#grow()
    })
  }

  #giveBack(connection: Connection): void {
    connection.onLost = () => this.#forget(connection)
    if (connection.lost) this.#forget(connection)
    else if (connection.isInTransaction || connection.pending > 0) connection.destroy()
    else this.#offer(connection)
  }

  #offer(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next) next.resolve(connection)
    else this.#idle.push(connection)
  }

  #grow(): void {
    if (this.#all.size + this.#opening >= this.#max) return
    this.#opening++
    this.#connector.open().then(
      (connection) => this.#opened(connection),
      (error) => this.#notOpened(error),
    )
  }

  #opened(connection: Connection): void {
    if (connection.lost) {
      this.#notOpened(connection.lost)
      return
    }
    this.#opening--
    this.#all.add(connection)
    connection.onLost = () => this.#forget(connection)
    this.#offer(connection)
  }

  #notOpened(error: unknown): void {
    this.#opening--
    // Those that have one will give it back.
    if (this.#all.size === 0 && this.#opening === 0) this.#rejectWaiting(error)
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    if (this.#waiting.length > 0) this.#grow()
  }

  #rejectWaiting(error: unknown): void {
    for (const one of this.#waiting.splice(0)) one.reject(error)
  }

  #tellIfIdle(): void {
    if (this.#running === 0) this.#onIdle?.()
  }
}

function command(connection: Connection, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    connection.send({ text }, (error, answer) => (error ? reject(error) : resolve(answer!.command)))
  })
}

/** The outcome of a body, or the loss of its connection while the body does other things. */
function untilLost<T>(connection: Connection, body: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    connection.onLost = reject
    if (connection.lost) reject(connection.lost)
    else body().then(resolve, reject)
  })
}

async function settle<T>(result: T | Promise<T>): Promise<Settled<T>> {
  const value = await result
  return (Array.isArray(value) ? await Promise.all(value) : value) as Settled<T>
}

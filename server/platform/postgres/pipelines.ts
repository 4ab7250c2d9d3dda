import { DatabaseError } from 'pg'
import { CONNECT_TIMEOUT_MS, type Connection, rowsOf } from './connection.ts'
import { type Connector, closed } from './connector.ts'
import { isUndone, MOST_TRIES } from './errors.ts'
import type { StatementNames } from './names.ts'
import type { Rows } from './query.ts'
import type { Statement } from './statement.ts'

/** As many statements as one that is slow may hold up; more are not faster either. */
const DEPTH = 32
/** From then on a statement is slow, and nothing more is sent behind it. */
const SLOW_MS = 50

interface WaitingStatement {
  statement: Statement
  isText: boolean
  isSecond: boolean
  tries: number
  since: number
  resolve(rows: Rows<object[]>): void
  reject(error: unknown): void
}

/**
 * A few connections that all plain statements share. A statement is sent on the one that has least to do, behind
 * others that are not answered yet; each is a transaction of its own, and fails alone. Those that find no
 * connection wait; a connection that is lost takes along only what was sent on it.
 */
export class Pipelines {
  readonly #connector: Connector
  readonly #names: StatementNames
  readonly #max: number
  readonly #ready = new Set<Connection>()
  readonly #waiting: WaitingStatement[] = []
  #opening = 0
  #closed = false
  #onIdle: (() => void) | undefined

  constructor(connector: Connector, names: StatementNames, max: number) {
    this.#connector = connector
    this.#names = names
    this.#max = max
  }

  run(statement: Statement, isText = false): Promise<Rows<object[]>> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closed())
      this.#take({ statement, isText, isSecond: false, tries: 1, since: performance.now(), resolve, reject })
    })
  }

  /** Takes no more, and resolves when all is answered. */
  finish(): Promise<void> {
    this.#closed = true
    return new Promise((resolve) => {
      this.#onIdle = resolve
      this.#tellIfIdle()
    })
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ready].map((connection) => connection.close()))
  }

  destroy(): void {
    for (const connection of this.#ready) connection.destroy()
    this.#rejectWaiting(closed())
  }

  #take(one: WaitingStatement): void {
    const connection = this.#waiting.length === 0 ? this.#leastBusy() : undefined
    if (connection) this.#send(connection, one)
    else this.#waiting.push(one)
    if (!connection || connection.pending > 1) this.#grow()
  }

  #leastBusy(): Connection | undefined {
    let best: Connection | undefined
    let least = Number.POSITIVE_INFINITY
    for (const connection of this.#ready) {
      if (connection.pending === 0) return connection
      const { pending, busyMs } = connection
      if (pending >= DEPTH || busyMs >= SLOW_MS || pending + busyMs >= least) continue
      best = connection
      least = pending + busyMs
    }
    return best
  }

  #send(connection: Connection, one: WaitingStatement): void {
    const { text, values } = one.statement
    const name = one.statement.named && !one.isSecond ? this.#names.of(text) : undefined
    connection.send(one.isText ? { text } : { text, values, name }, (error, answer) => {
      if (!error && connection.isInTransaction) {
        // Whatever comes behind it would be lost with the transaction that nobody ends.
        connection.destroy()
        one.reject(new Error('a transaction was opened by a plain statement'))
      } else if (!error) one.resolve(rowsOf(answer!))
      else if (name && isOtherPlan(error)) {
        this.#names.renew(text, name)
        // It has not run: the server looks for its plan before.
        this.#take({ ...one, isSecond: true })
      } else if (isUndone(error) && one.tries < MOST_TRIES) this.#take({ ...one, tries: one.tries + 1 })
      else one.reject(error)
      this.#sendWaiting()
      this.#tellIfIdle()
    })
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#leastBusy()
      if (!connection) return
      this.#send(connection, this.#waiting.shift()!)
    }
  }

  #grow(): void {
    if (this.#ready.size + this.#opening >= this.#max) return
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
    connection.onLost = () => this.#forget(connection)
    this.#ready.add(connection)
    this.#sendWaiting()
  }

  #notOpened(error: unknown): void {
    this.#opening--
    if (this.#ready.size > 0) return
    // Those that others are opened for wait for them: not for one after the other, while ever more are asked for.
    const all = this.#opening === 0
    const longSince = performance.now() - CONNECT_TIMEOUT_MS
    this.#rejectWaiting(error, (one) => all || one.since <= longSince)
  }

  #forget(connection: Connection): void {
    this.#ready.delete(connection)
    if (this.#waiting.length > 0) this.#grow()
  }

  #rejectWaiting(error: unknown, isMeant = (_: WaitingStatement) => true): void {
    const waiting = this.#waiting.splice(0)
    for (const one of waiting)
      if (isMeant(one)) one.reject(error)
      else this.#waiting.push(one)
    this.#tellIfIdle()
  }

  #tellIfIdle(): void {
    if (!this.#onIdle || this.#waiting.length > 0) return
    for (const connection of this.#ready) if (connection.pending > 0) return
    this.#onIdle()
  }
}

/** Prepared before a change of the schema, or in the pipeline behind one whose preparation failed. */
export function isOtherPlan(error: Error): boolean {
  if (!(error instanceof DatabaseError)) return false
  if (error.code === '0A000') return error.routine === 'RevalidateCachedQuery'
  return error.code === '26000' || error.code === '42P05'
}

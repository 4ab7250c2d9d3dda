import { traced } from '../../base/tracing.ts'
import type { PostgresAddress } from './address.ts'
import { Connector } from './connector.ts'
import { type ChannelSubscription, Listener } from './listener.ts'
import { StatementNames } from './names.ts'
import { Pipelines } from './pipelines.ts'
import { spanOf } from './span-of.ts'
import { type Tag, tagFor } from './tag.ts'
import { type Body, type Settled, Transactions } from './transactions.ts'

export { codeOfRefusal, isOutage, isUniqueViolation, statusOfRefusal } from './errors.ts'
export type { Query } from './query.ts'

/** A client of the database. */
export interface Sql extends Tag {
  /**
   * A transaction: kept when the body resolves, undone when it rejects or the connection is lost. Where the database undoes it
   * for the sake of another, the body is called again: what it does besides its statements must bear that.
   */
  begin<T>(body: Body<T>): Promise<Settled<T>>
  /** Resolves once everything that is notified from then on is heard; `onListen` is called then, and after every gap. */
  listen(
    channel: string,
    onNotify: (payload: string) => void,
    onListen?: () => void,
  ): Promise<ChannelSubscription>
  notify(channel: string, payload: string): Promise<unknown>
  /** Waits for what is under way, for so many seconds at most; whatever is left is rejected. */
  end(options?: { timeout?: number }): Promise<void>
}

/** What a transaction's body says its statements by. */
export type Transaction = Tag
/** Where a statement runs: on a connection that it shares, or in a transaction that somebody opened. */
export type Queryable = Tag

/**
 * More connections than these make plain statements no faster. Fewer make writes slower: those behind each other
 * on a connection wait for the disk one after the other, those on different ones wait for it together.
 */
const MOST_PIPELINES = 8
const PATIENCE_SECONDS = 5

/** Connects when it is first asked something: with half of `max` connections for each kind, and one to listen on. */
export function connect(address: PostgresAddress, { max }: { max: number }): Sql {
  const connector = new Connector(address)
  const names = new StatementNames()
  const shared = Math.max(1, Math.min(MOST_PIPELINES, Math.floor(max / 2)))
  const pipelines = new Pipelines(connector, names, shared)
  const transactions = new Transactions(connector, names, Math.max(1, max - shared))
  const listener = new Listener(connector)
  const tag = tagFor(
    (statement) => traced(spanOf(statement), () => pipelines.run(statement)),
    (statement) => traced(spanOf(statement), () => pipelines.run(statement, true)),
  )
  let ended: Promise<void> | undefined

  async function end(seconds: number): Promise<void> {
    const deadline = performance.now() + seconds * 1000
    await within(deadline, Promise.all([pipelines.finish(), transactions.finish()]))
    connector.close()
    const parts = [pipelines, transactions, listener]
    await within(deadline, Promise.all(parts.map((part) => part.close())))
    for (const part of parts) part.destroy()
  }

  return Object.assign(tag, {
    begin: <T>(body: Body<T>) => transactions.begin(body),
    listen: listener.listen.bind(listener),
    notify: async (channel: string, payload: string) => tag`select pg_notify(${channel}, ${payload})`,
    end({ timeout = PATIENCE_SECONDS } = {}) {
      ended ??= end(timeout)
      return ended
    },
  })
}

function within(deadline: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()))
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    work.then(done, done)
  })
}

/** One of all that are connected to the database does this work at a time. */
export function lockWhile<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T> {
  return sql.begin(async (tx) => {
    await holdName(tx, name)
    return work()
  }) as Promise<T>
}

/**
 * Takes an advisory lock until the transaction ends: of those that hold one name, the second sees what the first did. Who
 * counts and then adds one more holds it first of all, so that nobody waits for it who is waited for.
 */
export async function holdName(tx: Transaction, name: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${name}))`
}

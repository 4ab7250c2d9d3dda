import type postgres from 'postgres'
import { postgres as driver } from './driver.ts'

export type Sql = postgres.Sql<Types>
export type Transaction = postgres.TransactionSql<Types>
/** Where a statement runs: the pool, or a transaction that somebody opened. */
export type Queryable = Sql | Transaction

type Types = { bigint: number; date: string }

export type PostgresAddress = { url: string } | { socket: string }

export function connect(address: PostgresAddress, { max }: { max: number }): Sql {
  const options: postgres.Options<{ bigint: postgres.PostgresType; date: postgres.PostgresType }> = {
    max,
    // Long enough to outlive a restart of the server, short enough that a caller hears of an outage.
    connect_timeout: 5,
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    connection: { application_name: `marquee ${process.pid}`, TimeZone: 'UTC' },
    onnotice: () => {},
    types: {
      // Byte counts and totals: all far below 2^53.
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
      // Timestamps stay text from the database to the wire.
      date: {
        to: 1184,
        from: [1082, 1114, 1184],
        serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
        parse: toRfc3339,
      },
    },
  }
  return 'url' in address
    ? driver(address.url, options)
    : driver({ ...options, path: address.socket, user: 'marquee', database: 'postgres' })
}

/** One of all that are connected to the database does this work at a time. */
export function lockWhile<T>(sql: Sql, name: string, work: () => Promise<T>): Promise<T> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext(${name}))`
    return work()
  }) as Promise<T>
}

/** Whether anybody but this pool is connected. */
export async function hasOtherClients(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ others: boolean }[]>`
    select exists (select from pg_stat_activity where backend_type = 'client backend'
      and application_name <> current_setting('application_name')) as others`
  return row!.others
}

const TIMESTAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/

/** `2026-01-02 03:04:05.678901+00`, as the server prints it, to RFC 3339 in milliseconds. */
export function toRfc3339(printed: string): string {
  const parts = TIMESTAMP.exec(printed)
  if (!parts) return new Date(printed).toISOString()
  return `${parts[1]}T${parts[2]}.${(parts[3] ?? '').slice(0, 3).padEnd(3, '0')}Z`
}

/** Whether an error says that the database could not be reached, as opposed to a refusal by it. */
export function isOutage(error: unknown): boolean {
  const code = (error as { code?: string })?.code ?? ''
  return OUTAGE_CODES.has(code) || code.startsWith('08')
}

const OUTAGE_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  // The server is shutting down, starting up, or crashed under the query; it ran out of connections.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  // Its disk is full.
  '53100',
])

/** What a statement that the database refused means for whoever asked, where no use case said so before. */
export function statusOfRefusal(error: unknown): 400 | 404 | 409 | undefined {
  return REFUSALS[(error as { code?: string })?.code ?? '']
}

const REFUSALS: Record<string, 400 | 404 | 409> = {
  // Somebody deleted what this refers to between the look and the write.
  '23503': 404,
  '23505': 409,
  // A character that text cannot hold.
  '22021': 400,
  '22P05': 400,
}

/** Whether the database has ended one of two transactions that waited for each other: it may be tried again. */
export function isDeadlock(error: unknown): boolean {
  return (error as { code?: string })?.code === '40P01'
}

export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string })?.code === '23505'
}

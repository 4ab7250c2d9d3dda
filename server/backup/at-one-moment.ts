import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'

/** Records and objects of an installation that may go on meanwhile. */
export interface HeldSource {
  sql: Sql
  objects: Pick<ObjectStore, 'get' | 'list'>
  /** Where objects lie that were deleted meanwhile. */
  held: string
  /** Has processes put aside what they delete, for as long as this goes on. */
  hold<T>(work: () => Promise<T>): Promise<T>
}

/** Records are read as they are at this moment, however long that takes, and no object that they name goes. */
export function atOneMoment<T>(
  { sql, hold }: HeldSource,
  use: (tx: Transaction, moment: Date) => Promise<T>,
): Promise<T> {
  return hold(async () => {
    // Events end where records begin to be read: none is about something that the records do not know.
    const moment = new Date()
    return (await sql.begin(async (tx) => {
      await tx.unsafe('set transaction isolation level repeatable read, read only')
      await tx.unsafe('set local idle_in_transaction_session_timeout = 0')
      return use(tx, moment)
    })) as T
  })
}

/** An object, or so much of it from its beginning, wherever it lies by now; undefined where it is not there any more. */
export async function openObject(
  { objects, held }: HeldSource,
  key: string,
  size?: number,
): Promise<AsyncIterable<Buffer> | undefined> {
  const range = size === undefined ? undefined : { start: 0, end: size - 1 }
  const found = (await objects.get(key, range)) ?? (await objects.get(held + key, range))
  return found?.stream as AsyncIterable<Buffer> | undefined
}

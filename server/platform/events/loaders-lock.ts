import type { Sql } from '../postgres/client.ts'

const NAME = 'marquee events loader'

/** Work that one process at a time does, of all that share a database. Given back also when the process dies. */
export function loadersLock(sql: Sql): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    const connection = await sql.reserve()
    try {
      await connection`select pg_advisory_lock(hashtext(${NAME}))`
      try {
        return await work()
      } finally {
        // Where the connection is lost, so is the lock.
        await connection`select pg_advisory_unlock(hashtext(${NAME}))`.catch(() => {})
      }
    } finally {
      connection.release()
    }
  }
}

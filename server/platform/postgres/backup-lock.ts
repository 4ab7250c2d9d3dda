import type { Sql } from './client.ts'

const LOCK = 'marquee backup'
const ONE_AT_A_TIME = 'marquee backup at a time'

export class BackupUnderWay extends Error {}

/** While this work goes on, processes put aside what they delete. The lock goes with its connection, however that ends. */
export async function whileBackingUp<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  return sql.begin(async (tx) => {
    const [row] = await tx<{ mine: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext(${ONE_AT_A_TIME})) as mine`
    if (!row!.mine) throw new BackupUnderWay('another backup of this installation is being made')
    // Waits for those who hold it together, which is for a moment.
    await tx`select pg_advisory_xact_lock(hashtext(${LOCK}))`
    return work()
  }) as Promise<T>
}

/** What processes ask before they delete an object. */
export function backupHold(sql: Sql) {
  return {
    /** Where the database does not say, as if one were being made: putting aside loses nothing. */
    async isHeld(): Promise<boolean> {
      try {
        const [row] = await sql<{ free: boolean }[]>`
          select pg_try_advisory_xact_lock_shared(hashtext(${LOCK})) as free`
        return !row!.free
      } catch {
        return true
      }
    },
    async whileFree(work: () => Promise<void>): Promise<void> {
      await sql.begin(async (tx) => {
        const [row] = await tx<{ free: boolean }[]>`
          select pg_try_advisory_xact_lock_shared(hashtext(${LOCK})) as free`
        if (row!.free) await work()
      })
    },
  }
}

import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql, Transaction } from '../platform/postgres/client.ts'
import { deleteOrphans, insertOrphans, orphansAmong } from './leftovers/store.ts'

/**
 * Objects that belong to a file which is there, but that nothing refers to yet or any more. They are
 * written down before they are put, and in the transaction that lets go of them; so none is forgotten,
 * wherever a crash comes between.
 */

/** Longer than any put takes: what is still not referred to by then never will be. */
const PUT_SECONDS = 24 * 3600

/** To be called before objects are put below this prefix. */
export function announceObjects(sql: Sql, prefix: string): Promise<void> {
  return insertOrphans(sql, prefix, PUT_SECONDS)
}

/** From this transaction on something refers to them. False where it came too late and they are swept. */
export function keepObjects(tx: Transaction, prefix: string): Promise<boolean> {
  return deleteOrphans(tx, prefix)
}

/** From this transaction on nothing refers to them. */
export function releaseObjects(tx: Transaction, prefix: string): Promise<void> {
  return insertOrphans(tx, prefix, 0)
}

/**
 * Removes those of these that are still orphans. Can be cut off anywhere and done again, also by somebody who does
 * not know whether their transaction has kept them.
 */
export async function removeOrphans(
  prefixes: string[],
  { sql, objects }: { sql: Sql; objects: ObjectStore },
): Promise<void> {
  for (const prefix of await orphansAmong(sql, prefixes)) {
    await objects.deletePrefix(prefix)
    await deleteOrphans(sql, prefix)
  }
}

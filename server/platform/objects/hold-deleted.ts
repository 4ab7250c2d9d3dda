import { ObjectNotFound } from './errors.ts'
import type { ObjectStore } from './port.ts'

/** Where objects lie that were deleted while a backup was being made, under their keys. */
export const HELD = 'held/'

export interface DeletionHold {
  /** Whether somebody makes a backup right now. */
  isHeld(): Promise<boolean>
  /** Does something while nobody can begin one; nothing where one is being made. */
  whileFree(work: () => Promise<void>): Promise<void>
}

/**
 * A store in which nothing that a backup may still have to copy gets lost: what is deleted while one is made is put aside.
 * Whoever deletes has let go of the object in the database before. So a backup that begins after the question here sees a
 * database that does not refer to it any more.
 */
export function holdDeleted(store: ObjectStore, { isHeld }: DeletionHold): ObjectStore {
  async function putAside(key: string): Promise<void> {
    // Deleted before, made again and deleted once more: the first one is what a backup may want.
    if (await store.head(HELD + key)) return store.delete(key)
    await store.move(key, HELD + key).catch((error) => {
      if (!(error instanceof ObjectNotFound)) throw error
    })
  }

  return {
    ...store,
    async delete(key) {
      await ((await isHeld()) ? putAside(key) : store.delete(key))
    },
    async deletePrefix(prefix) {
      if (prefix !== HELD && (await isHeld()))
        for await (const { key } of store.list(prefix)) await putAside(key)
      await store.deletePrefix(prefix)
    },
  }
}

/** Deletes for good what was put aside, once no backup needs it. */
export async function forgetHeld(store: ObjectStore, { whileFree }: DeletionHold): Promise<void> {
  for await (const _ of store.list(HELD)) {
    await whileFree(() => store.deletePrefix(HELD))
    return
  }
}

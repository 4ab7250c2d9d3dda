import type { Client } from '@marquee/client'
import { useCallback, useSyncExternalStore } from 'react'
import { isStatus } from '../../api.ts'
import { type Notify, useNotify } from '../../components/toasts.tsx'
import { useProject, useTrash } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import type { MediaItem } from './media-list.ts'

/**
 * What was deleted here, and when that was done: it is not shown from the first moment on, whatever lists still hold it. One
 * that was asked for later knows better: somebody may have brought it back.
 */
let deleted: ReadonlyMap<string, number> = new Map()
/** For as long as it is being done. */
export const UNDER_WAY = Infinity
/** When the list was asked for that an item is of. */
const askedAt = new WeakMap<MediaItem, number>()
const listeners = new Set<() => void>()

/** Asks for items, and keeps in mind when. */
export async function asOfNow<List extends { data: MediaItem[] }>(ask: () => Promise<List>): Promise<List> {
  const now = performance.now()
  const list = await ask()
  for (const item of list.data) askedAt.set(item, now)
  return list
}

/** Of which items somebody need not see any more that they are in a list. */
export type IsDeleted = (item: MediaItem) => boolean

export function useDeleted(): IsDeleted {
  const known = useKnown()
  return useCallback((item) => isIn(known, item), [known])
}

const isIn = (known: typeof deleted, item: MediaItem): boolean =>
  (known.get(item.id) ?? 0) > (askedAt.get(item) ?? 0)

function useKnown(): ReadonlyMap<string, number> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => deleted,
  )
}

/** When they were deleted; undefined: they are there. */
export function mark(items: readonly Pick<MediaItem, 'id'>[], at: number | undefined): void {
  const next = new Map(deleted)
  for (const { id } of items) at === undefined ? next.delete(id) : next.set(id, at)
  deleted = next
  for (const listener of listeners) listener()
}

/** Deletes at once, and where there is a trash offers to undo it: what is in it comes back with its posts. */
export function useDelete(): (items: readonly MediaItem[]) => void {
  const { client } = useProject()
  const hasTrash = useTrash()
  const notify = useNotify()
  return (items) => void deleteAll(client, items, notify, hasTrash)
}

async function deleteAll(
  client: Client,
  items: readonly MediaItem[],
  notify: Notify,
  hasTrash: boolean,
): Promise<void> {
  mark(items, UNDER_WAY)
  let isUndone = false
  const gone: MediaItem[] = []
  const deleting = eachOf(items, async (item) => {
    if (isUndone) return
    await remove(client, item)
    gone.push(item)
  })
  const undo = async () => {
    isUndone = true
    mark(items, undefined)
    await deleting
    const lost = await eachOf(gone, (item) => restore(client, item))
    mark(lost.items, performance.now())
    if (lost.items.length > 0) notify.failed(words.library.notRestored(lost.items.length), lost.error)
  }
  notify.done(words.library.deleted(items.length), hasTrash ? undo : undefined)
  const kept = await deleting
  if (!isUndone) mark(gone, performance.now())
  if (kept.items.length === 0) return
  mark(kept.items, undefined)
  notify.failed(words.library.notDeleted(kept.items.length), kept.error)
}

function remove(client: Client, { kind, id }: MediaItem): Promise<unknown> {
  const answer =
    kind === 'video'
      ? client.delete('/videos/{videoId}', { path: { videoId: id } })
      : client.delete('/images/{imageId}', { path: { imageId: id } })
  return answer.catch((error) => {
    // Somebody else was faster.
    if (!isStatus(error, 404)) throw error
  })
}

const restore = (client: Client, { kind, id }: MediaItem): Promise<unknown> =>
  kind === 'video'
    ? client.post('/videos/{videoId}/restore', { path: { videoId: id }, isRepeatable: true })
    : client.post('/images/{imageId}/restore', { path: { imageId: id }, isRepeatable: true })

const AT_ONCE = 4

/** Does it for each, a few at a time, and tells for which it failed. */
async function eachOf(
  items: readonly MediaItem[],
  work: (item: MediaItem) => Promise<unknown>,
): Promise<{ items: MediaItem[]; error: unknown }> {
  const failed: { items: MediaItem[]; error: unknown } = { items: [], error: undefined }
  const queue = items.values()
  async function worker(): Promise<void> {
    for (const item of queue) {
      try {
        await work(item)
      } catch (error) {
        failed.items.push(item)
        failed.error = error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return failed
}

import type { Client } from '@marquee/client'
import { useSyncExternalStore } from 'react'
import { isStatus } from '../../api.ts'
import { type Notify, useNotify } from '../../components/toasts.tsx'
import { useProject } from '../../session/use-project.ts'
import { words } from '../../words.ts'
import type { MediaItem } from './media-list.ts'

/** What was deleted here is not shown from that moment on, whatever lists still hold it. */
let deleted: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

export function useDeleted(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => deleted,
  )
}

function mark(items: readonly MediaItem[], isDeleted: boolean): void {
  const next = new Set(deleted)
  for (const { id } of items) isDeleted ? next.add(id) : next.delete(id)
  deleted = next
  for (const listener of listeners) listener()
}

/** Deletes at once, and offers to undo it: what is in the trash comes back with its posts. */
export function useDelete(): (items: readonly MediaItem[]) => void {
  const { client } = useProject()
  const notify = useNotify()
  return (items) => void deleteAll(client, items, notify)
}

async function deleteAll(client: Client, items: readonly MediaItem[], notify: Notify): Promise<void> {
  mark(items, true)
  let isUndone = false
  const gone: MediaItem[] = []
  const deleting = eachOf(items, async (item) => {
    if (isUndone) return
    await remove(client, item)
    gone.push(item)
  })
  notify.done(words.library.deleted(items.length), async () => {
    isUndone = true
    mark(items, false)
    await deleting
    const lost = await eachOf(gone, (item) => restore(client, item))
    mark(lost.items, true)
    if (lost.items.length > 0) notify.failed(words.library.notRestored(lost.items.length), lost.error)
  })
  const kept = await deleting
  if (kept.items.length === 0) return
  mark(kept.items, false)
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

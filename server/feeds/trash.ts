import { requireRoomFor, type StorageDeps } from '../access/index.ts'
import type { Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { FeedId } from '../base/ids.ts'
import { allowOperator } from '../base/operator.ts'
import type { Due, TrashItem } from '../base/trash.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { enqueueRemoval } from './remove-feed.ts'
import * as store from './store.ts'

export async function listTrashedFeeds(caller: Caller, sql: Sql): Promise<TrashItem[]> {
  allowOperator(caller)
  return store.listTrashed(sql)
}

/** A feed with its posts, but for those that were deleted or whose media was. */
export async function restoreFeed(caller: Caller, feedId: FeedId, deps: StorageDeps): Promise<void> {
  allowOperator(caller)
  const projectId = await store.projectOfTrashed(deps.sql, feedId)
  if (projectId) await requireRoomFor({ projectId, bytes: 0 }, deps)
  if (!projectId || !(await store.restoreTrashed(deps.sql, feedId)))
    throw notFound(`there is no ${feedId} in the trash`)
}

/** Feeds whose time in the trash is over: from here on a job removes their posts, and then them. */
export async function purgeFeeds(
  { sql, jobs }: { sql: Sql; jobs: Pick<JobQueue, 'enqueue'> },
  due: Due,
): Promise<number> {
  const purged = await sql.begin(async (tx) => {
    const ids = await store.purgeTrashed(tx, due)
    for (const id of ids) await enqueueRemoval(jobs, tx, id)
    return { count: ids.length }
  })
  return purged.count
}

import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { FeedId } from '../base/ids.ts'
import { newId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Feed, FeedChanges, NewFeed } from './schemas.ts'
import * as store from './store.ts'
import { purgeFeeds } from './trash.ts'

const DEFAULTS = {
  description: '',
  allow_images: true,
  allow_videos: true,
  has_likes: true,
  has_shares: true,
  has_comments: true,
  visibility: 'private' as const,
}

export async function createFeed(
  caller: Caller,
  scope: ProjectScope,
  wanted: NewFeed,
  { sql }: { sql: Sql },
): Promise<Feed> {
  allow(caller, 'feeds:write', scope)
  return store.insertFeed(sql, { ...DEFAULTS, ...wanted, id: newId('feed'), project_id: scope.projectId })
}

export async function listFeeds(caller: Caller, scope: ProjectScope, page: Page, { sql }: { sql: Sql }) {
  allow(caller, 'feeds:read', scope)
  return store.listFeeds(sql, scope.projectId, page)
}

export async function showFeedRecord(
  caller: Caller,
  scope: ProjectScope,
  feedId: FeedId,
  { sql }: { sql: Sql },
): Promise<Feed> {
  allow(caller, 'feeds:read', scope)
  const feed = await store.findFeed(sql, scope.projectId, feedId)
  if (!feed) throw notFound()
  return feed
}

/** What is not named stays as it is. */
export async function changeFeed(
  caller: Caller,
  scope: ProjectScope,
  { feedId, changes }: { feedId: FeedId; changes: FeedChanges },
  { sql }: { sql: Sql },
): Promise<Feed> {
  allow(caller, 'feeds:write', scope)
  const feed = await store.updateFeed(sql, scope.projectId, feedId, changes)
  if (!feed) throw notFound()
  return feed
}

export interface DeleteFeedDeps {
  sql: Sql
  jobs: JobQueue
  /** Seconds for which it can be brought back. */
  trashSeconds: number
}

/** From now on nobody sees the feed or its posts; what they show stays. */
export async function deleteFeed(
  caller: Caller,
  scope: ProjectScope,
  feedId: FeedId,
  { sql, jobs, trashSeconds }: DeleteFeedDeps,
): Promise<void> {
  allow(caller, 'feeds:delete', scope)
  if (!(await store.markDeleted(sql, scope.projectId, feedId))) throw notFound()
  if (trashSeconds === 0) await purgeFeeds({ sql, jobs }, { seconds: 0, only: feedId })
}

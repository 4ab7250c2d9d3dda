import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { enqueueRemoval } from './remove-feed.ts'
import type { Feed, FeedChanges, NewFeed } from './schemas.ts'
import * as store from './store.ts'

const DEFAULTS = {
  description: '',
  allow_images: true,
  allow_videos: true,
  has_likes: true,
  has_shares: true,
  has_comments: true,
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
  feedId: string,
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
  { feedId, changes }: { feedId: string; changes: FeedChanges },
  { sql }: { sql: Sql },
): Promise<Feed> {
  allow(caller, 'feeds:write', scope)
  const feed = await store.updateFeed(sql, scope.projectId, feedId, changes)
  if (!feed) throw notFound()
  return feed
}

/** From now on nobody sees the feed or its posts; what they show stays. */
export async function deleteFeed(
  caller: Caller,
  scope: ProjectScope,
  feedId: string,
  { sql, jobs }: { sql: Sql; jobs: JobQueue },
): Promise<void> {
  allow(caller, 'feeds:delete', scope)
  const known = await sql.begin(async (tx) => {
    if (!(await store.markDeleted(tx, scope.projectId, feedId))) return false
    await enqueueRemoval(jobs, tx, feedId)
    return true
  })
  if (!known) throw notFound()
}

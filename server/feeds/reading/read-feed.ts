import type { ProjectScope } from '../../access/index.ts'
import { allow, type Caller } from '../../base/caller.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import { badRequest, notFound } from '../../base/errors.ts'
import type { FeedId, PostId, ProjectId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Post, PostPage, ProjectPost, ProjectPostPage } from '../posts/schemas.ts'
import type { FeedPage } from '../schemas.ts'
import { readPage, readPost } from './read-posts.ts'
import type { ResponseCache, VersionedResponse } from './response-cache.ts'
import { findProjectPosts, searchPosts, versionOfFeed, versionOfPost, type WantedPosts } from './store.ts'
import { toPost } from './to-post.ts'

export interface ReadFeedDeps {
  sql: Sql
  cdnUrl: CdnUrl
  cache: ResponseCache
  /** Those who ask for the same in the same moment share one look. */
  look: <T>(key: string, lookUp: () => Promise<T>) => Promise<T>
}

/** A page of the published posts of a feed, newest first. */
export async function showFeed(
  caller: Caller,
  scope: ProjectScope,
  { feedId, page }: { feedId: FeedId; page: FeedPage },
  deps: ReadFeedDeps,
): Promise<VersionedResponse> {
  allow(caller, 'posts:read', scope)
  return showPage(scope.projectId, feedId, page, deps)
}

/** The same of a feed that everybody may list. */
export async function showPublicFeed(
  { feedId, page }: { feedId: FeedId; page: FeedPage },
  deps: ReadFeedDeps,
): Promise<VersionedResponse> {
  return showPage(undefined, feedId, page, deps)
}

async function showPage(
  projectId: ProjectId | undefined,
  feedId: FeedId,
  page: FeedPage,
  { sql, cdnUrl, cache, look }: ReadFeedDeps,
): Promise<VersionedResponse> {
  const wanted = wantedOf(projectId, feedId, page)
  const name = `${cdnUrl.version()} ${JSON.stringify(wanted)}`
  const response = await cache.get(
    name,
    () => look(`feed ${projectId} ${feedId}`, () => versionOfFeed(sql, projectId, feedId)),
    () =>
      look(name, async () => {
        const found = await readPage(wanted, { sql, cdnUrl })
        return found && { version: found.version, text: JSON.stringify(answerOf(wanted, found)) }
      }),
  )
  if (!response) throw notFound()
  return response
}

/** A published post, for everybody where no project is named. */
export async function showPublished(
  { projectId, feedId, postId }: { projectId?: ProjectId; feedId: FeedId; postId: PostId },
  { sql, cdnUrl, cache, look }: ReadFeedDeps,
): Promise<VersionedResponse> {
  const name = `${cdnUrl.version()} post ${projectId} ${feedId} ${postId}`
  const response = await cache.get(
    name,
    () => look(`version of ${feedId} ${postId}`, () => versionOfPost(sql, feedId, postId)),
    () =>
      look(name, async () => {
        const found = await readPost({ projectId, feedId, postId, drafts: false }, { sql, cdnUrl })
        return found && { version: found.version, text: JSON.stringify(found.post) }
      }),
  )
  if (!response) throw notFound()
  return response
}

export async function showPost(
  caller: Caller,
  scope: ProjectScope,
  address: { feedId: FeedId; postId: PostId },
  deps: ReadFeedDeps,
): Promise<VersionedResponse> {
  allow(caller, 'posts:read', scope)
  return showPublished({ projectId: scope.projectId, ...address }, deps)
}

/** A post as those who make it see it: as a draft as well. */
export async function showPostOfProject(
  caller: Caller,
  scope: ProjectScope,
  address: { feedId: FeedId; postId: PostId },
  { sql, cdnUrl }: ReadFeedDeps,
): Promise<ProjectPost> {
  allow(caller, 'posts:read', scope)
  const wanted = { projectId: scope.projectId, ...address, drafts: seesDrafts(caller) }
  const found = await readPost(wanted, { sql, cdnUrl })
  if (!found) throw notFound()
  return { ...found.post, published: found.published }
}

/** The drafts of a feed, or its published posts. */
export async function listPostsOfProject(
  caller: Caller,
  scope: ProjectScope,
  { feedId, published, page }: { feedId: FeedId; published: boolean; page: FeedPage },
  { sql, cdnUrl }: ReadFeedDeps,
): Promise<ProjectPostPage> {
  allow(caller, published || seesDrafts(caller) ? 'posts:read' : 'posts:write', scope)
  const wanted = { ...wantedOf(scope.projectId, feedId, page), published }
  const found = await readPage(wanted, { sql, cdnUrl })
  if (!found) throw notFound()
  const { data, pagination } = answerOf(wanted, found)
  return { data: data.map((post) => ({ ...post, published })), pagination }
}

/** Posts by their ids, or by what is searched for, whichever feeds they are in. */
export async function findPostsOfProject(
  caller: Caller,
  scope: ProjectScope,
  { ids, q, limit, offset }: Page & { ids?: string; q?: string },
  { sql, cdnUrl }: ReadFeedDeps,
): Promise<ProjectPostPage> {
  allow(caller, 'posts:read', scope)
  const { projectId } = scope
  if ((ids === undefined) === (q === undefined)) throw badRequest('give either ids or q')
  if (ids === undefined) {
    const wanted = { projectId, q: q!, drafts: seesDrafts(caller), limit, offset }
    const { rows, total } = await searchPosts(sql, wanted)
    const data = rows.map((row) => ({ ...toPost(row, projectId, cdnUrl), published: row.published }))
    return { data, pagination: { limit, offset, total } }
  }
  const postIds = [...new Set(ids.split(',') as PostId[])]
  const rows = await findProjectPosts(sql, { projectId, postIds, drafts: seesDrafts(caller) })
  const byId = new Map(rows.map((row) => [row.id, row]))
  const found = postIds.flatMap((id) => byId.get(id) ?? [])
  const data = found
    .slice(offset, offset + limit)
    .map((row) => ({ ...toPost(row, projectId, cdnUrl), published: row.published }))
  return { data, pagination: { limit, offset, total: found.length } }
}

/** A publishable key is in everybody's hands. */
export function seesDrafts({ kind }: Caller): boolean {
  return kind !== 'publishable_key'
}

function wantedOf(projectId: ProjectId | undefined, feedId: FeedId, page: FeedPage): WantedPosts {
  const { limit, offset, creator_id: creatorId, cursor } = page
  if (cursor !== undefined && offset > 0) throw badRequest('cursor and offset exclude each other')
  const after = cursor === undefined ? undefined : placeOf(cursor)
  return { projectId, feedId, published: true, creatorId, limit, offset, after }
}

const PLACE = /^post_[0-9a-z]{26,}$/

/** A cursor is the place of the last post that was seen, in a form that nobody is tempted to make by hand. */
function cursorAt(place: string): string {
  return Buffer.from(place).toString('base64url')
}

function placeOf(cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString()
  if (!PLACE.test(place) || cursorAt(place) !== cursor) throw badRequest('cursor: not one of ours')
  return place
}

function answerOf(
  { limit, offset }: WantedPosts,
  { posts, total, lastPlace }: { posts: Post[]; total: number; lastPlace: string | undefined },
): PostPage {
  const next = lastPlace === undefined ? {} : { next_cursor: cursorAt(lastPlace) }
  return { data: posts, pagination: { limit, offset, total, ...next } }
}

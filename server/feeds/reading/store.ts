import type { FeedId, PostId, ProjectId } from '../../base/ids.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { PostRow } from './to-post.ts'

/** Which posts of a feed: some published ones from a place on, or drafts. */
export interface WantedPosts {
  /** Whose feed it has to be; undefined for one that everybody may list. */
  projectId: ProjectId | undefined
  feedId: FeedId
  published: boolean
  creatorId: string | undefined
  limit: number
  offset: number
  /** Only those after this place. */
  after: string | undefined
}

/** Greater than every post's place. */
const BEYOND = `post_${'z'.repeat(27)}`

const columns = (sql: Queryable) => sql`
  p.id, p.feed_id, p.creator_id, p.description, p.image_id, p.video_id, p.plan_type, p.published, p.failure,
  p.version, p.created_at, p.updated_at, p.place,
  i.id as i_id, i.width as i_width, i.height as i_height, i.thumbhash as i_thumbhash,
  i.attached_to_video as i_attached_to_video, fi.id as fi_id, fi.name as fi_name, fi.format as fi_format,
  fi.size as fi_size, fi.status as fi_status, fi.visibility as fi_visibility,
  v.duration as v_duration, v.width as v_width, v.height as v_height, v.bitrate as v_bitrate, v.codec as v_codec,
  v.framerate as v_framerate, v.hdr as v_hdr, v.plan_type as v_plan_type, v.chapters as v_chapters,
  v.created_at as v_created_at, fv.id as fv_id, fv.name as fv_name, fv.format as fv_format, fv.size as fv_size,
  fv.status as fv_status, fv.visibility as fv_visibility`

/** An image post's image and a video post's poster are read by the same join. */
const media = (sql: Queryable) => sql`
  left join videos v on v.id = p.video_id
  left join files fv on fv.id = v.file_id
  left join images i on i.id = coalesce(p.image_id, v.poster_id)
  left join files fi on fi.id = i.file_id`

/** A page with everything in it, its version and its total, all of one moment. Undefined without such a feed. */
export async function findPage(sql: Sql, wanted: WantedPosts) {
  const { projectId, feedId, limit } = wanted
  const rows = await sql<(PostRow & { feed_version: number; project_id: ProjectId; total: number })[]>`
    with feed as (
      select version as feed_version, project_id, ${totalOf(sql, wanted)} as total
      from feeds where id = ${feedId} and ${readableBy(sql, projectId)} and deleted_at is null
    ), page as (${pageOf(sql, wanted)})
    select feed.*, ${columns(sql)} from feed left join page p on true ${media(sql)} order by p.place desc`
  const [first] = rows
  if (!first) return undefined
  const found = rows.filter((row) => row.id !== null)
  const shown = found.slice(0, limit)
  return {
    version: first.feed_version,
    projectId: first.project_id,
    total: first.total,
    rows: shown,
    /** Of the last one, where there are more after it. */
    lastPlace: found.length > limit ? shown.at(-1)!.place : undefined,
  }
}

function readableBy(sql: Sql, projectId: ProjectId | undefined) {
  return projectId === undefined ? sql`visibility = 'public'` : sql`project_id = ${projectId}`
}

function totalOf(sql: Sql, { feedId, published, creatorId }: WantedPosts) {
  const ofCreator = creatorId === undefined ? sql`` : sql`and creator_id = ${creatorId}`
  // Drafts are few, and nobody scrolls through them.
  if (!published)
    return sql`(select count(*) from posts where feed_id = ${feedId} and not published ${ofCreator})`
  return creatorId === undefined
    ? sql`post_count`
    : sql`coalesce((select post_count from feed_creators where feed_id = ${feedId} ${ofCreator}), 0)`
}

function pageOf(sql: Sql, { feedId, published, creatorId, limit, offset, after }: WantedPosts) {
  const these = sql`
    from posts where feed_id = ${feedId} and ${published ? sql`published` : sql`not published`}
    ${creatorId === undefined ? sql`` : sql`and creator_id = ${creatorId}`}`
  // One more, to know whether there are more.
  const some = sql`order by place desc limit ${limit + 1}`
  if (after !== undefined) return sql`select * ${these} and place < ${after} ${some}`
  if (offset === 0 || !published || creatorId !== undefined)
    return sql`select * ${these} ${some} offset ${offset}`
  return sql`
    select page.* from ${blockAt(sql, feedId, offset)} cross join lateral (
      select * ${these} and place < before ${some} offset ${offset} - passed
    ) page`
}

/** The block that holds the post at an offset: what place it ends before, and how many posts are ahead of it. */
function blockAt(sql: Sql, feedId: FeedId, offset: number) {
  return sql`(
    select coalesce(before, ${BEYOND}) as before, through - post_count as passed from (
      select post_count, sum(post_count) over newest_first as through, lag(first_place) over newest_first as before,
        first_place
      from feed_blocks where feed_id = ${feedId} window newest_first as (order by first_place desc)
    ) blocks where through > ${offset} order by first_place desc limit 1
  ) block`
}

export interface WantedPost {
  projectId?: ProjectId
  feedId: FeedId
  postId: PostId
  drafts: boolean
}

/** One post, of a project where one is named. Undefined where it is not there, or a draft that is not wanted. */
export async function findPost(
  sql: Queryable,
  wanted: WantedPost,
): Promise<(PostRow & { project_id: ProjectId }) | undefined> {
  const [row] = await sql<(PostRow & { project_id: ProjectId })[]>`
    select f.project_id, ${columns(sql)} from posts p join feeds f on f.id = p.feed_id ${media(sql)}
    where p.id = ${wanted.postId} and f.id = ${wanted.feedId} and f.deleted_at is null
      ${wanted.projectId === undefined ? sql`` : sql`and f.project_id = ${wanted.projectId}`}
      ${wanted.drafts ? sql`` : sql`and p.published`}`
  return row
}

export async function findPosts(sql: Queryable, feedId: FeedId, postIds: PostId[]): Promise<PostRow[]> {
  return sql<PostRow[]>`
    select ${columns(sql)} from posts p ${media(sql)} where p.feed_id = ${feedId} and p.id = any(${postIds})`
}

/** Posts of any feeds of a project. */
export async function findProjectPosts(
  sql: Queryable,
  { projectId, postIds, drafts }: { projectId: ProjectId; postIds: PostId[]; drafts: boolean },
): Promise<PostRow[]> {
  return sql<PostRow[]>`
    select ${columns(sql)} from posts p join feeds f on f.id = p.feed_id ${media(sql)}
    where p.id = any(${postIds}) and f.project_id = ${projectId} and f.deleted_at is null
      ${drafts ? sql`` : sql`and p.published`}`
}

interface SearchedPosts {
  projectId: ProjectId
  q: string
  drafts: boolean
  limit: number
  offset: number
}

/** Posts of a project that say something, or show what is called so in the library: the newest first, and how many. */
export async function searchPosts(sql: Queryable, { projectId, q, drafts, limit, offset }: SearchedPosts) {
  const isIn = (text: string) =>
    sql`trigrams(${sql.unsafe(text)}) @> trigrams(lower(${q})) and position(lower(${q}) in ${sql.unsafe(text)}) > 0`
  const found = await sql<(PostRow & { total: number })[]>`
    with media as materialized (
      select m.id from media_items m where m.project_id = ${projectId} and ${isIn('m.search')}
    ), found as materialized (
      select id from posts where ${isIn('lower(description)')}
      union select p.id from media join posts p on p.video_id = media.id
      union select p.id from media join posts p on p.image_id = media.id
    ), mine as materialized (
      select p.id, p.created_at from found join posts p on p.id = found.id join feeds f on f.id = p.feed_id
      where f.project_id = ${projectId} and f.deleted_at is null ${drafts ? sql`` : sql`and p.published`}
    ), page as (
      select id from mine order by created_at desc, id desc limit ${limit} offset ${offset}
    )
    select counted.total, ${columns(sql)}
    from (select count(*) as total from mine) counted left join page on true left join posts p on p.id = page.id
    ${media(sql)}
    order by p.created_at desc, p.id desc`
  return { rows: found.filter(({ id }) => id !== null), total: found[0]!.total }
}

export async function versionOfFeed(
  sql: Sql,
  projectId: ProjectId | undefined,
  feedId: FeedId,
): Promise<number | undefined> {
  const [row] = await sql<{ version: number }[]>`
    select version from feeds where id = ${feedId} and ${readableBy(sql, projectId)} and deleted_at is null`
  return row?.version
}

export async function versionOfPost(sql: Sql, feedId: FeedId, postId: PostId): Promise<number | undefined> {
  const [row] = await sql<{ version: number }[]>`
    select p.version from posts p join feeds f on f.id = p.feed_id
    where p.id = ${postId} and p.published and f.id = ${feedId} and f.deleted_at is null`
  return row?.version
}

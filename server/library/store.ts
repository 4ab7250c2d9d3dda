import type { FileId, ProjectId, TrackId } from '../base/ids.ts'
import type { Metadata, Visibility } from '../base/media.ts'
import { timeOf } from '../base/rfc3339.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { areFarOff, countMatching, matchingMedia, totalAfter } from '../uploads/index.ts'
import type { Place } from './cursor.ts'
import type { MediaKind, MediaListing, MediaSort, WantedMedia } from './schemas.ts'

export interface MediaRow {
  id: string
  kind: MediaKind
  file_id: FileId
  name: Buffer
  description: string
  visibility: Visibility | null
  metadata: Metadata
  status: string
  size: number
  duration: number
  width: number
  height: number
  thumbhash: string | null
  /** The file of the picture that stands for it: its own, or a video's poster's. */
  picture_id: FileId
  /** The sounds that were added to a video. */
  tracks: TrackId[]
  created_at: string
  place: string | number
}

/** The column of each order, and how a place in it is told without losing anything. */
const SORTS: Record<MediaSort, { column: string; place: string; from: string }> = {
  created_at: {
    column: 'm.created_at',
    place: '(extract(epoch from m.created_at) * 1000000)::bigint',
    from: "'epoch'::timestamptz + interval '1 microsecond' *",
  },
  name: { column: 'm.sort_name', place: 'm.sort_name', from: '' },
  size: { column: 'm.size', place: 'm.size', from: '' },
  duration: { column: 'm.duration', place: 'm.duration', from: '' },
}

const TYPES: Record<MediaSort, string> = {
  created_at: '::float8',
  name: '::text',
  size: '::bigint',
  duration: '::float8',
}

type ListingFrom = Omit<MediaListing, 'cursor'> & { after?: Place }

/**
 * Some of the media of a project from a place on, and whether there are more; and how many there are in all. Each order is
 * that of an index. What is searched for and is in few is found first, by an index of the parts of texts.
 */
export async function findMedia(sql: Sql, projectId: ProjectId, listing: ListingFrom) {
  const { sort, limit, offset, after, kind } = listing
  const { column, place, from } = SORTS[sort]
  const matching = {
    ...{ projectId, list: kind ? LISTS[kind] : ('media' as const), isNarrowed: isNarrowed(listing) },
    ...{ from: sql`from media_items m`, and: narrowing(sql, projectId, listing) },
  }
  const counted = await countMatching(sql, listing, matching)
  const key = sql.unsafe(column)
  const isAscending = listing.order === 'asc'
  const order = sql.unsafe(isAscending ? 'asc' : 'desc')
  const beyond = after
    ? sql`and (${key}, m.id) ${sql.unsafe(isAscending ? '>' : '<')} (${sql.unsafe(from)} ${after.value}${sql.unsafe(TYPES[sort])}, ${after.id})`
    : sql``
  const inOrder = sql`order by ${key} ${order}, m.id ${order}`
  const wanted = { inOrder, beyond, rows: offset + limit + 1 }
  const isFarOff = await areFarOff(sql, listing, { ...matching, ...counted }, wanted)
  const isWalked = counted.isWalked && !isFarOff
  const isSearched = listing.q || listing.metadata || listing.feed_id
  const once = sql.unsafe(isSearched && !isWalked ? 'materialized' : 'not materialized')
  const found = await sql<MediaRow[]>`
    with found as ${once} (
      select m.id, m.kind, m.file_id, m.status, m.size, m.duration, m.created_at, m.sort_name from media_items m
      where ${matchingMedia(sql, projectId, listing, { isWalked })} ${narrowing(sql, projectId, listing)}
    ), page as (
      select m.*, ${sql.unsafe(place)} as place from found m where true ${beyond}
      ${inOrder} limit ${limit + 1} offset ${offset}
    )
    select m.id, m.kind, m.file_id, m.status, m.size, m.duration, m.created_at, m.place, f.name,
      f.description, f.visibility, f.metadata, coalesce(v.width, i.width) as width, coalesce(v.height, i.height) as height, i.thumbhash,
      i.file_id as picture_id, array(select t.id from audio_tracks t where t.video_id = v.id) as tracks
    from page m
    left join files f on f.id = m.file_id
    left join videos v on v.file_id = m.file_id
    left join images i on i.id = coalesce(v.poster_id, m.id)
    ${inOrder}`
  const rows = found.slice(0, limit)
  const isLast = found.length <= limit
  // How many are before a cursor is not known.
  const { total, isMinimum } = after ? counted : totalAfter(counted, offset, { rows: rows.length, isLast })
  return { rows, isLast, total, isMinimum }
}

const LISTS = { video: 'videos', image: 'images' } as const

/** Whether more is asked for than a kind, a state, and what was said. */
function isNarrowed(wanted: WantedMedia): boolean {
  const { ids, min_size, max_size, min_duration, max_duration } = wanted
  const { created_after, created_before, feed_id } = wanted
  const all = [ids, min_size, max_size, min_duration, max_duration, created_after, created_before, feed_id]
  return all.some((value) => value !== undefined)
}

function narrowing(sql: Sql, projectId: ProjectId, wanted: WantedMedia) {
  const { ids, kind, min_size, max_size, min_duration, max_duration } = wanted
  const { created_after, created_before, feed_id } = wanted
  const isTimed = min_duration !== undefined || max_duration !== undefined
  const none = sql``
  return sql`
    ${ids ? sql`and m.id = any(${ids.split(',')})` : none}
    ${kind ? sql`and m.kind = ${kind}` : none}
    ${isTimed ? sql`and m.kind = 'video'` : none}
    ${min_size === undefined ? none : sql`and m.size >= ${min_size}`}
    ${max_size === undefined ? none : sql`and m.size <= ${max_size}`}
    ${min_duration === undefined ? none : sql`and m.duration >= ${min_duration}`}
    ${max_duration === undefined ? none : sql`and m.duration <= ${max_duration}`}
    ${created_after === undefined ? none : sql`and m.created_at >= ${moment(sql, created_after)}`}
    ${created_before === undefined ? none : sql`and m.created_at < ${moment(sql, created_before)}`}
    ${feed_id === undefined ? none : sql`and m.id in (${shownBy(sql, projectId, feed_id)})`}`
}

/** Not handed on as text: years that RFC 3339 has and PostgreSQL has not would fail there. */
function moment(sql: Sql, time: string) {
  return sql`('epoch'::timestamptz + interval '1 microsecond' * ${timeOf(time)}::float8)`
}

function shownBy(sql: Sql, projectId: ProjectId, feedId: string) {
  return sql`
    select coalesce(p.image_id, p.video_id) from posts p join feeds f on f.id = p.feed_id
    where f.id = ${feedId} and f.project_id = ${projectId} and f.deleted_at is null and p.published`
}

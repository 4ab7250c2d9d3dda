import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { badRequest } from '../base/errors.ts'
import type { ProjectId } from '../base/ids.ts'
import { saidOf } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { filledShares } from '../transcoding/index.ts'
import { toFile, toldTotal } from '../uploads/index.ts'
import { cursorAt, placeOf } from './cursor.ts'
import type { MediaItem, MediaListing, MediaPage } from './schemas.ts'
import { findMedia, type MediaRow } from './store.ts'

const THUMBNAIL = '?w=640'

/** Videos and images of a project in one list, without the posters of videos. */
export async function listMedia(
  caller: Caller,
  scope: ProjectScope,
  { cursor, ...listing }: MediaListing,
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<MediaPage> {
  if (listing.kind !== 'image') allow(caller, 'videos:read', scope)
  if (listing.kind !== 'video') allow(caller, 'images:read', scope)
  if (listing.feed_id) allow(caller, 'posts:read', scope)
  const { limit, offset } = listing
  if (cursor !== undefined && offset > 0) throw badRequest('cursor and offset exclude each other')
  const after = cursor === undefined ? undefined : placeOf(listing, cursor)
  const { projectId } = scope
  const found = await findMedia(sql, projectId, { ...listing, after })
  const { rows } = found
  const last = found.isLast ? undefined : rows.at(-1)
  const next = last && { next_cursor: cursorAt(listing, { value: last.place, id: last.id }) }
  const shares = await filledShares(sql, rows.filter(isVideo))
  const data = rows.map((row) => toItem(row, { projectId, cdnUrl, share: shares.get(row.file_id) }))
  return { data, pagination: { limit, offset, ...toldTotal(found), ...next } }
}

const isVideo = ({ kind }: MediaRow) => kind === 'video'

function toItem(
  row: MediaRow,
  { projectId, cdnUrl, share }: { projectId: ProjectId; cdnUrl: CdnUrl; share: number | undefined },
): MediaItem {
  const { id, kind, status, size, duration, width, height, thumbhash, created_at } = row
  const fileOf = (file: MediaRow['file_id']) =>
    toFile({ ...row, id: file, format: '', project_id: projectId }, cdnUrl)
  const { name, url } = fileOf(row.file_id)
  return {
    id,
    kind,
    name,
    ...saidOf(row),
    status,
    size,
    ...(isVideo(row) && { duration }),
    width,
    height,
    ...(thumbhash !== null && { thumbhash }),
    ...(share !== undefined && { percent: Math.floor(share * 1000) / 10 }),
    url,
    thumbnail_url: fileOf(row.picture_id).url + THUMBNAIL,
    created_at,
  }
}

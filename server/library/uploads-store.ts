import type { FileId, PostId, ProjectId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { MediaKind } from './schemas.ts'

export interface UploadUnderWayRow {
  id: string
  kind: MediaKind
  file_id: FileId
  post_id: PostId | null
  name: Buffer
  status: 'uploading' | 'processing'
  /** By tus; null where nothing came that way. */
  received: number | null
  length: number | null
  /** Why it could not be imported; null where it still can, and of what clients send. */
  failure: string | null
  created_at: string
  expires: number
}

/** What was begun in a project and is still awaited, newest first, without posters of videos and clips; and how much there is. */
export async function findUploads(
  sql: Sql,
  projectId: ProjectId,
  { limit, offset, kind }: Page & { kind?: MediaKind },
): Promise<{ rows: UploadUnderWayRow[]; total: number }> {
  const underWay = sql`
    from files f left join videos v on v.file_id = f.id
      left join images i on i.file_id = f.id and not i.attached_to_video
    where f.project_id = ${projectId} and f.status in ('uploading', 'processing') and f.deleted_at is null
      and f.upload_expires > now() and coalesce(v.id, i.id) is not null and v.clip_of is null
      and (${kind ?? null}::text is null or f.kind = ${kind ?? null})`
  const rows = await sql<UploadUnderWayRow[]>`
    select u.*, r.received, r.length, m.failure,
      (select p.id from posts p where p.video_id = u.id or p.image_id = u.id limit 1) as post_id
    from (
      select coalesce(v.id, i.id) as id, f.kind, f.id as file_id, f.name, f.status, f.created_at,
        extract(epoch from f.upload_expires)::bigint as expires
      ${underWay} order by f.created_at desc, f.id desc limit ${limit} offset ${offset}) u
    left join resumable_uploads r on r.file_id = u.file_id
    left join imports m on m.file_id = u.file_id
    order by u.created_at desc, u.file_id desc`
  const [count] = await sql<{ total: number }[]>`select count(*)::int as total ${underWay}`
  return { rows, total: count!.total }
}

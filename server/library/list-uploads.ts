import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { arrivedAtOnce } from '../uploads/index.ts'
import type { UploadListing, UploadPage } from './schemas.ts'
import { findUploads, type UploadUnderWayRow } from './uploads-store.ts'

/** What was begun in a project and not completed yet, with how much of it has arrived. */
export async function listUploads(
  caller: Caller,
  scope: ProjectScope,
  { kind, limit, offset }: UploadListing,
  { sql, objects }: { sql: Sql; objects: ObjectStore },
): Promise<UploadPage> {
  if (kind !== 'image') allow(caller, 'videos:read', scope)
  if (kind !== 'video') allow(caller, 'images:read', scope)
  const { rows, total } = await findUploads(sql, scope.projectId, { kind, limit, offset })
  const data = await Promise.all(rows.map((row) => toUpload(row, objects)))
  return { data, pagination: { limit, offset, total } }
}

async function toUpload(row: UploadUnderWayRow, objects: ObjectStore): Promise<UploadPage['data'][number]> {
  const { id, kind, name, post_id, length, failure, created_at, expires } = row
  // What came by one PUT is known to the store alone, and only once it is whole.
  const whole = row.received ? undefined : await arrivedAtOnce(row.file_id, objects)
  const size = whole ?? length ?? undefined
  return {
    id,
    kind,
    ...(post_id && { post_id }),
    name: name.toString(),
    status: failure === null ? row.status : 'failed',
    ...(failure !== null && { reason: failure }),
    received: row.received || whole || 0,
    ...(size !== undefined && { size }),
    created_at,
    upload_expires: expires,
  }
}

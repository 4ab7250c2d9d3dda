import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { conflict, notFound } from '../base/errors.ts'
import type { ImageId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { fileChangesOf, updateFile } from '../uploads/index.ts'
import { isPoster } from './posters/store.ts'
import type { Image, ImageChanges } from './schemas.ts'
import { findImage, setFocalPoint } from './store.ts'
import { imageOf } from './to-image.ts'

/** Names and describes an image, also the poster of a video, says who may see it and what matters in it; what is left out stays. */
export async function updateImage(
  caller: Caller,
  scope: ProjectScope,
  { imageId, changes }: { imageId: ImageId; changes: ImageChanges },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: CdnUrl },
): Promise<Image> {
  allow(caller, 'images:write', scope)
  const { focal_point } = changes
  const updated = await sql.begin(async (tx) => {
    const image = await findImage(tx, scope.projectId, imageId)
    if (!image) throw notFound()
    const isOther = changes.visibility && changes.visibility !== (image.visibility ?? 'public')
    if (isOther && (await isPoster(tx, scope.projectId, imageId)))
      throw conflict('visibility: a poster has that of its video; change it there')
    if (!(await updateFile(tx, image.file_id, fileChangesOf(changes)))) throw notFound()
    if (focal_point !== undefined) await setFocalPoint(tx, imageId, focal_point)
    return findImage(tx, scope.projectId, imageId)
  })
  if (!updated) throw notFound()
  return imageOf(updated, cdnUrl)
}

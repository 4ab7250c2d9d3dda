import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { updateFile } from '../uploads/index.ts'
import type { Image, ImageChanges } from './schemas.ts'
import { findImage, setFocalPoint } from './store.ts'
import { imageOf } from './to-image.ts'

/** Names and describes an image, also the poster of a video, and says what matters in it; what is left out stays. */
export async function updateImage(
  caller: Caller,
  scope: ProjectScope,
  { imageId, changes }: { imageId: ImageId; changes: ImageChanges },
  { sql, cdnUrl }: { sql: Sql; cdnUrl: string },
): Promise<Image> {
  allow(caller, 'images:write', scope)
  const { name, description, focal_point } = changes
  const updated = await sql.begin(async (tx) => {
    const image = await findImage(tx, scope.projectId, imageId)
    const wanted = { name, description: description === null ? '' : description }
    if (!image || !(await updateFile(tx, image.file_id, wanted))) throw notFound()
    if (focal_point !== undefined) await setFocalPoint(tx, imageId, focal_point)
    return findImage(tx, scope.projectId, imageId)
  })
  if (!updated) throw notFound()
  return imageOf(updated, cdnUrl)
}

import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId, ProjectId } from '../base/ids.ts'
import type { MediaFilter } from '../base/media.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Image, ImagePage } from './schemas.ts'
import * as store from './store.ts'
import { imageOf } from './to-image.ts'

interface ReadImagesDeps {
  sql: Sql
  cdnUrl: CdnUrl
}

export async function showImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: ImageId,
  { sql, cdnUrl }: ReadImagesDeps,
): Promise<Image> {
  allow(caller, 'images:read', scope)
  const image = await readImage(scope.projectId, imageId, { sql, cdnUrl })
  if (!image) throw notFound()
  return image
}

/** An image that was completed. For whoever has asked for permission. */
export async function readImage(
  projectId: ProjectId,
  imageId: ImageId,
  { sql, cdnUrl }: ReadImagesDeps,
): Promise<Image | undefined> {
  const row = await store.findImage(sql, projectId, imageId)
  return row && imageOf(row, cdnUrl)
}

export async function listImages(
  caller: Caller,
  scope: ProjectScope,
  page: ImagePage & MediaFilter,
  { sql, cdnUrl }: ReadImagesDeps,
) {
  allow(caller, 'images:read', scope)
  const { rows, ...total } = await store.listImages(sql, scope.projectId, page)
  return { images: rows.map((row) => imageOf(row, cdnUrl)), total }
}

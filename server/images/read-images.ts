import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Image, ImagePage } from './schemas.ts'
import * as store from './store.ts'
import { imageOf } from './to-image.ts'

interface ReadImagesDeps {
  sql: Sql
  cdnUrl: string
}

export async function showImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: ImageId,
  { sql, cdnUrl }: ReadImagesDeps,
): Promise<Image> {
  allow(caller, 'images:read', scope)
  const row = await store.findImage(sql, scope.projectId, imageId)
  if (!row) throw notFound()
  return imageOf(row, cdnUrl)
}

export async function listImages(
  caller: Caller,
  scope: ProjectScope,
  page: ImagePage,
  { sql, cdnUrl }: ReadImagesDeps,
) {
  allow(caller, 'images:read', scope)
  const { rows, total } = await store.listImages(sql, scope.projectId, page)
  return { images: rows.map((row) => imageOf(row, cdnUrl)), total }
}

import type { ProjectScope } from '../access/projects/resolve-project.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Image, ImagePage } from './schemas.ts'
import * as store from './store.ts'

interface ReadDeps {
  sql: Sql
  cdnUrl: string
}

export async function showImage(
  caller: Caller,
  scope: ProjectScope,
  imageId: string,
  { sql, cdnUrl }: ReadDeps,
): Promise<Image> {
  allow(caller, 'images:read', scope)
  const image = await store.findImage(sql, scope.projectId, imageId, cdnUrl)
  if (!image) throw notFound()
  return image
}

export async function listImages(
  caller: Caller,
  scope: ProjectScope,
  page: ImagePage,
  { sql, cdnUrl }: ReadDeps,
) {
  allow(caller, 'images:read', scope)
  return store.listImages(sql, scope.projectId, page, cdnUrl)
}

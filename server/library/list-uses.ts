import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller } from '../base/caller.ts'
import { notFound } from '../base/errors.ts'
import type { ImageId, VideoId } from '../base/ids.ts'
import { seesDrafts } from '../feeds/index.ts'
import type { Page } from '../http/pagination.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { MediaUse, MediaUses } from './schemas.ts'
import { findUses, isMedia, type UseRow } from './uses-store.ts'

export type Used = { kind: 'video'; id: VideoId } | { kind: 'image'; id: ImageId }

/** The posts that show a video or an image, of all feeds of its project, newest first. */
export async function listUses(
  caller: Caller,
  scope: ProjectScope,
  { used, page: { limit, offset } }: { used: Used; page: Page },
  sql: Sql,
): Promise<MediaUses> {
  allow(caller, used.kind === 'video' ? 'videos:read' : 'images:read', scope)
  allow(caller, 'posts:read', scope)
  const { projectId } = scope
  if (!(await isMedia(sql, projectId, used))) throw notFound()
  const wanted = { used, drafts: seesDrafts(caller), limit, offset }
  const { rows, total } = await findUses(sql, wanted)
  return { data: rows.map(toUse), pagination: { limit, offset, total } }
}

function toUse({ published, created_at, ...use }: UseRow): MediaUse {
  return published ? { ...use, status: 'published', published_at: created_at } : { ...use, status: 'draft' }
}

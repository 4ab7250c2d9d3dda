import type { ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { text } from '../tables.ts'

/**
 * What of a project is exported: what its people have made, by the names that the interface has for it. Keys, secrets and
 * what the service keeps for itself are not; nor what is in the trash.
 */
export function queriesOf(projectId: ProjectId): Record<string, string> {
  const project = text(projectId)
  const ofFile = `name_as_text(f.name) as name, f.description, f.metadata, coalesce(f.visibility, 'public') as visibility,
    f.status, f.size, f.format, f.id as file_id`
  const videos = `videos v join files f on f.id = v.file_id
    where v.project_id = ${project} and v.deleted_at is null and f.deleted_at is null and f.status <> 'uploading'`
  const inOrderOf = (id: string) => `order by ${id} collate "C"`
  return {
    project: `select id, org_id, name, coalesce(custom_domain, '') as custom_domain, regions, video_quality, default_visibility, created_at, updated_at
      from projects where id = ${project}`,
    videos: `select v.id, ${ofFile}, v.duration, v.width, v.height, v.framerate, v.codec, v.hdr, v.quality, v.chapters,
      v.poster_id, v.clip_of, v.failure, v.created_at, v.processed_at from ${videos} ${inOrderOf('v.id')}`,
    subtitles: `select s.id, s.video_id, s.language_code, s.label, s.created_at, s.body from subtitles s
      where s.video_id in (select v.id from ${videos}) order by s.video_id, s.position`,
    audio_tracks: `select t.id, t.video_id, t.language_code, t.label, t.format, t.size, t.created_at,
        (select v.file_id from videos v where v.id = t.video_id) as file_id from audio_tracks t
      where t.video_id in (select v.id from ${videos}) order by t.video_id, t.position`,
    images: `select i.id, ${ofFile}, i.width, i.height, i.thumbhash, i.focal_x, i.focal_y, i.attached_to_video, i.poster_of,
        i.created_at
      from images i join files f on f.id = i.file_id
      where i.project_id = ${project} and i.width is not null and i.deleted_at is null and f.deleted_at is null ${inOrderOf('i.id')}`,
    feeds: `select id, name, description, visibility, allow_images, allow_videos, has_likes, has_shares, has_comments,
      created_at, updated_at from feeds where project_id = ${project} and deleted_at is null ${inOrderOf('id')}`,
    posts: `select p.id, p.feed_id, p.creator_id, p.description, p.image_id, p.video_id, p.plan_type, p.published, p.created_at,
      p.updated_at from posts p join feeds f on f.id = p.feed_id
      where f.project_id = ${project} and f.deleted_at is null order by p.feed_id, p.place collate "C" desc`,
    image_presets: `select name, options, created_at, updated_at from image_presets where project_id = ${project} order by name`,
  }
}

export async function hasProject(sql: Sql, projectId: ProjectId): Promise<boolean> {
  return (await sql`select from projects where id = ${projectId} and deleted_at is null`).length > 0
}

import type { Chapter } from '../../videos/schemas.ts'
import type { Post, PostImage, PostVideo } from '../posts/schemas.ts'

/** A post with what it shows, as it is read: `i` an image or a video's poster, `v` a video, `f…` their files. */
export interface PostRow {
  id: string
  feed_id: string
  creator_id: string
  description: string
  image_id: string | null
  video_id: string | null
  plan_type: string
  published: boolean
  failure: string | null
  version: number
  created_at: string
  updated_at: string
  i_id: string
  i_width: number | null
  i_height: number
  i_thumbhash: string
  i_attached_to_video: boolean
  fi_id: string
  fi_name: Buffer
  fi_format: string
  fi_size: number
  fi_status: string
  v_duration: number | null
  v_width: number
  v_height: number
  v_bitrate: number
  v_codec: string
  v_framerate: string
  v_hdr: boolean
  v_plan_type: string
  v_chapters: Chapter[]
  v_created_at: string
  fv_id: string
  fv_name: Buffer
  fv_format: string
  fv_size: number
  fv_status: string
}

/** What a draft waits for is not shown before it is there. */
export function toPost(row: PostRow, projectId: string, cdnUrl: string): Post {
  const file = (of: 'fi' | 'fv') => ({
    id: row[`${of}_id`],
    name: row[`${of}_name`].toString(),
    format: row[`${of}_format`],
    size: row[`${of}_size`],
    status: row[`${of}_status`],
    url: `${cdnUrl}/${projectId}/${row[`${of}_id`]}`,
    project_id: projectId,
  })
  const image = (): PostImage => ({
    id: row.i_id,
    file: file('fi'),
    width: row.i_width!,
    height: row.i_height,
    thumbhash: row.i_thumbhash,
    attached_to_video: row.i_attached_to_video,
  })
  const video = (): PostVideo => ({
    id: row.video_id!,
    file: file('fv'),
    poster: image(),
    duration: row.v_duration!,
    width: row.v_width,
    height: row.v_height,
    bitrate: row.v_bitrate,
    codec: row.v_codec,
    framerate: row.v_framerate,
    hdr: row.v_hdr,
    plan_type: row.v_plan_type,
    chapters: row.v_chapters,
    created_at: row.v_created_at,
  })
  return {
    id: row.id,
    feed_id: row.feed_id,
    creator_id: row.creator_id,
    description: row.description,
    type: row.image_id ? 'image' : 'video',
    ...(row.image_id && { image_id: row.image_id, ...(row.i_width !== null && { image: image() }) }),
    ...(row.video_id && { video_id: row.video_id, ...(row.v_duration !== null && { video: video() }) }),
    plan_type: row.plan_type,
    ...(row.failure !== null && { failure: row.failure }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

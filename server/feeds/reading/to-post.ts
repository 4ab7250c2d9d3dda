import type { CdnUrl } from '../../base/cdn-url.ts'
import type { FeedId, FileId, ImageId, PostId, ProjectId, VideoId } from '../../base/ids.ts'
import type { Visibility } from '../../base/media.ts'
import { toImage } from '../../images/index.ts'
import { toFile } from '../../uploads/index.ts'
import { type Chapter, toVideo } from '../../videos/index.ts'
import type { Post, PostImage, PostVideo } from '../posts/schemas.ts'

/** A post with what it shows, as it is read: `i` an image or a video's poster, `v` a video, `f…` their files. */
export interface PostRow {
  id: PostId
  feed_id: FeedId
  creator_id: string
  description: string
  image_id: ImageId | null
  video_id: VideoId | null
  plan_type: string
  published: boolean
  failure: string | null
  version: number
  place: string
  created_at: string
  updated_at: string
  i_id: ImageId
  i_width: number | null
  i_height: number
  i_thumbhash: string
  i_attached_to_video: boolean
  fi_id: FileId
  fi_name: Buffer
  fi_format: string
  fi_size: number
  fi_status: string
  fi_visibility: Visibility | null
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
  fv_id: FileId
  fv_name: Buffer
  fv_format: string
  fv_size: number
  fv_status: string
  fv_visibility: Visibility | null
}

/** What a draft waits for is not shown before it is there. */
export function toPost(row: PostRow, projectId: ProjectId, cdnUrl: CdnUrl): Post {
  return {
    id: row.id,
    feed_id: row.feed_id,
    creator_id: row.creator_id,
    description: row.description,
    type: row.image_id ? 'image' : 'video',
    ...(row.image_id && {
      image_id: row.image_id,
      ...(row.i_width !== null && { image: imageIn(row, projectId, cdnUrl) }),
    }),
    ...(row.video_id && {
      video_id: row.video_id,
      ...(row.v_duration !== null && { video: videoIn(row, projectId, cdnUrl) }),
    }),
    plan_type: row.plan_type,
    ...(row.failure !== null && { failure: row.failure }),
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The image of a post, or the poster of its video. */
function imageIn(row: PostRow, projectId: ProjectId, cdnUrl: CdnUrl): PostImage {
  const image = {
    id: row.i_id,
    width: row.i_width!,
    height: row.i_height,
    thumbhash: row.i_thumbhash,
    attached_to_video: row.i_attached_to_video,
  }
  const file = {
    id: row.fi_id,
    name: row.fi_name,
    format: row.fi_format,
    size: row.fi_size,
    status: row.fi_status,
    project_id: projectId,
  }
  const visibility = row.fi_visibility
  return { ...toImage(image, toFile(file, cdnUrl)), ...(visibility && { visibility }) }
}

function videoIn(row: PostRow, projectId: ProjectId, cdnUrl: CdnUrl): PostVideo {
  const video = {
    id: row.video_id!,
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
  }
  const file = {
    id: row.fv_id,
    name: row.fv_name,
    format: row.fv_format,
    size: row.fv_size,
    status: row.fv_status,
    project_id: projectId,
  }
  const shown = toVideo(video, toFile(file, cdnUrl), imageIn(row, projectId, cdnUrl))
  const visibility = row.fv_visibility
  return { ...shown, ...(visibility && { visibility }) }
}

import { type Static, Type } from 'typebox'
import { VideoQuality } from '../access/projects/schemas.ts'
import { PLANS } from '../base/caller.ts'
import { File } from '../http/file-schemas.ts'
import { FormFileSchema } from '../http/multipart.ts'
import { type Page, pageProperties } from '../http/pagination.ts'
import { Id, Name, named, ref, Timestamp } from '../http/schemas.ts'
import { FileName, ImageFormat, Image as Poster } from '../images/schemas.ts'

export const Chapter = named(
  'Chapter',
  Type.Object({
    title: Type.String(),
    start_time_sec: Type.Number(),
    end_time_sec: Type.Number(),
    duration_label: Type.String({ description: 'the chapter’s own length, `MM:SS`' }),
  }),
)
export type Chapter = Static<typeof Chapter>

export const Video = named(
  'Video',
  Type.Object({
    id: Type.String(),
    file: ref(File),
    poster: ref(Poster),
    duration: Type.Number({ description: 'seconds' }),
    width: Type.Integer({ description: 'as displayed' }),
    height: Type.Integer({ description: 'as displayed' }),
    bitrate: Type.Integer({ description: 'bits per second' }),
    codec: Type.String({ description: 'of the source' }),
    framerate: Type.String({ description: 'a reduced rational: `30`, `30000/1001`' }),
    hdr: Type.Boolean(),
    plan_type: Type.String({
      enum: [...PLANS],
      description: 'the organization’s plan when the video was made',
    }),
    chapters: Type.Array(ref(Chapter)),
    created_at: Timestamp,
  }),
)
export type Video = Static<typeof Video>

export const NewVideo = Type.Object({
  file_name: FileName,
  video_quality: Type.Optional(VideoQuality),
  image_format: Type.Optional(ImageFormat),
})
export type NewVideo = Static<typeof NewVideo>

export const BegunVideo = named(
  'VideoUpload',
  Type.Object({
    video_id: Type.String(),
    video_presigned_url: Type.String(),
    poster_id: Type.String(),
    poster_presigned_url: Type.String({ description: 'where nothing is sent, a frame becomes the poster' }),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
)
export type BegunVideo = Static<typeof BegunVideo>

const SORTS = ['created_at', 'name', 'size', 'updated_at', 'duration'] as const
const ORDERS = ['asc', 'desc'] as const

export interface VideoPage extends Page {
  sort: (typeof SORTS)[number]
  order: (typeof ORDERS)[number]
}

export const VideoQuery = Type.Unsafe<VideoPage>(
  Type.Object({
    ...pageProperties,
    sort: Type.Optional(Type.String({ enum: [...SORTS], default: 'created_at' })),
    order: Type.Optional(Type.String({ enum: [...ORDERS], default: 'desc' })),
  }),
)

export const OneVideo = Type.Object({ videoId: Id('video') })

/** A language, or the id of what is in that language; what is neither is known to nobody. */
export const Language = Type.String({ maxLength: 200, description: 'BCP 47' })
export const IdOrLanguage = Type.String({ maxLength: 200, description: 'id, or language code' })

const textFields = {
  id: Type.String(),
  video_id: Type.String(),
  language_code: Type.String({ description: 'BCP 47' }),
  label: Type.String(),
  name: Type.String({ description: 'file name' }),
  size: Type.Integer({ description: 'of the file as it was sent' }),
  url: Type.String(),
  created_at: Timestamp,
}

export const Subtitle = named('Subtitle', Type.Object(textFields))
export type Subtitle = Static<typeof Subtitle>

export const AudioTrack = named(
  'AudioTrack',
  Type.Object({ ...textFields, format: Type.String({ description: 'of the file as it was sent' }) }),
)
export type AudioTrack = Static<typeof AudioTrack>

/** The form that replaces all subtitles, or all audio tracks, of a video. */
export const LabelledFiles = Type.Object({
  files: Type.Array(FormFileSchema),
  language_codes: Type.String({ description: 'BCP 47, separated by commas' }),
  labels: Type.String({
    description: 'separated by commas; one with commas inside can be sent by repeating the field',
  }),
})

export const Deletion = Type.Object({ message: Type.String(), status: Type.String() })
export type Deletion = Static<typeof Deletion>

export const NewChapters = Type.Object({
  chapters: Type.Array(Type.Object({ title: Name, start_time_sec: Type.Number({ minimum: 0 }) }), {
    maxItems: 1000,
  }),
})
export type NewChapters = Static<typeof NewChapters>

export const Chapters = Type.Object({ video_id: Type.String(), chapters: Type.Array(ref(Chapter)) })
export type Chapters = Static<typeof Chapters>

export const VideoCompletion = Type.Object({ video_id: Id('video') })

const Pixels = Type.Integer({ minimum: 1, maximum: 8192 })

export const ThumbnailQuery = Type.Object({
  time: Type.Optional(Type.Number({ minimum: 0, description: 'seconds; without it, the poster' })),
  width: Type.Optional(Pixels),
  height: Type.Optional(Pixels),
  format: Type.Optional(
    Type.Unsafe<'jpg' | 'png' | 'webp' | 'avif'>({
      type: 'string',
      enum: ['jpg', 'png', 'webp', 'avif'],
      description: 'by default what `Accept` prefers',
    }),
  ),
})

export const Progress = named(
  'VideoProgress',
  Type.Object({
    video_id: Type.String(),
    status: Type.Unsafe<'processing' | 'complete' | 'failed'>({
      type: 'string',
      enum: ['processing', 'complete', 'failed'],
      description: 'the video plays while it is processing',
    }),
    reason: Type.Optional(Type.String({ description: 'of a failure' })),
    notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'what of the file is not offered and why, such as a sound that cannot be decoded',
      }),
    ),
    percent: Type.Number({ description: 'of the segments; below 100 while it is processing' }),
    renditions: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Unsafe<'video' | 'audio'>({ type: 'string', enum: ['video', 'audio'] }),
        segments_made: Type.Integer(),
        segments: Type.Integer(),
        width: Type.Optional(Type.Integer()),
        height: Type.Optional(Type.Integer()),
        language_code: Type.Optional(Type.String()),
      }),
    ),
  }),
)
export type Progress = Static<typeof Progress>

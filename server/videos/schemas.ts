import { type Static, Type } from 'typebox'
import { VideoQuality } from '../access/index.ts'
import { PLANS } from '../base/caller.ts'
import { exampleId } from '../base/ids.ts'
import type { MediaFilter } from '../base/media.ts'
import { File, uploadProperties } from '../http/file-schemas.ts'
import {
  AnsweredMetadata,
  AnsweredVisibility,
  MetadataChange,
  mediaFilterProperties,
  Visibility,
} from '../http/media-schemas.ts'
import { EXAMPLE_FILE, FormFileSchema } from '../http/multipart.ts'
import { type Page, pageProperties } from '../http/pagination.ts'
import {
  AnsweredId,
  ClearableProse,
  EXAMPLE_TIME,
  EXAMPLE_UPLOAD_URL,
  exampleOf,
  Id,
  Name,
  named,
  Pagination,
  ref,
  Timestamp,
} from '../http/schemas.ts'
import { FileName, ImageFormat, Image as Poster } from '../images/index.ts'
import { ImportProgress } from '../uploads/index.ts'

export const Chapter = named(
  'Chapter',
  Type.Object({
    title: Type.String(),
    start_time_sec: Type.Number(),
    end_time_sec: Type.Number(),
    duration_label: Type.String({ description: 'the chapter’s own length, `MM:SS`' }),
  }),
  { title: 'Arrival', start_time_sec: 0, end_time_sec: 42.5, duration_label: '00:42' },
)
export type Chapter = Static<typeof Chapter>

export const Video = named(
  'Video',
  Type.Object({
    id: AnsweredId<'video'>(),
    file: ref(File),
    poster: ref(Poster),
    duration: Type.Number({ description: 'seconds' }),
    width: Type.Integer({ description: 'as displayed' }),
    height: Type.Integer({ description: 'as displayed' }),
    bitrate: Type.Integer({ description: 'bits per second' }),
    codec: Type.String({ description: 'of the source' }),
    framerate: Type.String({
      description:
        'pictures a second of the source, as a reduced rational: `30`, `30000/1001`; the rate that the file declares where its pictures keep to it, else their number over the time that they take. Interlaced ones count as they are shown, two fields as one picture',
    }),
    hdr: Type.Boolean(),
    plan_type: Type.String({
      enum: [...PLANS],
      description: 'the organization’s plan when the video was made',
    }),
    chapters: Type.Array(ref(Chapter)),
    description: Type.Optional(Type.String({ description: 'absent where there is none' })),
    visibility: Type.Optional(AnsweredVisibility),
    metadata: Type.Optional(AnsweredMetadata),
    created_at: Timestamp,
  }),
  {
    id: exampleId('video'),
    file: { ...exampleOf(File), name: 'harbour.mp4', format: 'hls', size: 18874368 },
    poster: { ...exampleOf(Poster), attached_to_video: true },
    duration: 42.5,
    width: 1920,
    height: 1080,
    bitrate: 3552000,
    codec: 'h264',
    framerate: '30000/1001',
    hdr: false,
    plan_type: 'custom',
    chapters: [exampleOf(Chapter)],
    created_at: EXAMPLE_TIME,
  },
)
export type Video = Static<typeof Video>

export const VideoList = named(
  'VideoList',
  Type.Object({ data: Type.Array(ref(Video)), pagination: ref(Pagination) }),
  { data: [exampleOf(Video)], pagination: exampleOf(Pagination) },
)

export const NewVideo = named(
  'NewVideo',
  Type.Object({
    file_name: FileName,
    video_quality: Type.Optional(VideoQuality),
    image_format: Type.Optional(ImageFormat),
    ...uploadProperties,
  }),
  { file_name: 'harbour.mp4', video_quality: 'basic', image_format: 'jpg' },
)
export type NewVideo = Static<typeof NewVideo>

export const VideoChanges = named(
  'VideoChanges',
  Type.Object({
    name: Type.Optional(FileName),
    description: Type.Optional(ClearableProse),
    visibility: Type.Optional(Visibility),
    metadata: Type.Optional(MetadataChange),
  }),
  {
    name: 'The harbour.mp4',
    description: 'A walk along the pier',
    visibility: 'private',
    metadata: { episode: '3' },
  },
)
export type VideoChanges = Static<typeof VideoChanges>

export const BegunVideo = named(
  'VideoUpload',
  Type.Object({
    video_id: AnsweredId<'video'>(),
    video_presigned_url: Type.String(),
    poster_id: AnsweredId<'image'>(),
    poster_presigned_url: Type.String({ description: 'where nothing is sent, a frame becomes the poster' }),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
  {
    video_id: exampleId('video'),
    video_presigned_url: EXAMPLE_UPLOAD_URL,
    poster_id: exampleId('image'),
    poster_presigned_url: EXAMPLE_UPLOAD_URL,
    upload_expires: 1777890600,
  },
)
export type BegunVideo = Static<typeof BegunVideo>

const SORTS = ['created_at', 'name', 'size', 'updated_at', 'duration'] as const
const ORDERS = ['asc', 'desc'] as const

export interface VideoPage extends Page {
  sort: (typeof SORTS)[number]
  order: (typeof ORDERS)[number]
}

export const VideoQuery = Type.Unsafe<VideoPage & Omit<MediaFilter, 'metadata'>>(
  Type.Object({
    ...pageProperties,
    ...mediaFilterProperties,
    sort: Type.Optional(Type.String({ enum: [...SORTS], default: 'created_at' })),
    order: Type.Optional(Type.String({ enum: [...ORDERS], default: 'desc' })),
  }),
)

export const OneVideo = Type.Object({ videoId: Id('video') })

export const ThumbnailForm = named('ThumbnailForm', Type.Object({ thumbnail: FormFileSchema }), {
  thumbnail: EXAMPLE_FILE,
})

const NewChapter = named(
  'NewChapter',
  Type.Object({ title: Name, start_time_sec: Type.Number({ minimum: 0 }) }),
  { title: 'Arrival', start_time_sec: 0 },
)

export const NewChapters = named(
  'NewChapters',
  Type.Object({ chapters: Type.Array(ref(NewChapter), { maxItems: 1000 }) }),
  { chapters: [exampleOf(NewChapter), { title: 'The harbour', start_time_sec: 42.5 }] },
)
export type NewChapters = Static<typeof NewChapters>

export const Chapters = named(
  'VideoChapters',
  Type.Object({ video_id: AnsweredId<'video'>(), chapters: Type.Array(ref(Chapter)) }),
  { video_id: exampleId('video'), chapters: [exampleOf(Chapter)] },
)
export type Chapters = Static<typeof Chapters>

export const VideoCompletion = named('VideoCompletion', Type.Object({ video_id: Id('video') }), {
  video_id: exampleId('video'),
})

export const NewClip = named(
  'NewClip',
  Type.Object({
    start: Type.Number({ minimum: 0, description: 'seconds' }),
    end: Type.Number({ minimum: 0, description: 'seconds' }),
    title: Type.Optional(FileName),
  }),
  { start: 12.5, end: 27.5, title: 'The harbour at night' },
)

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

const RenditionProgress = named(
  'RenditionProgress',
  Type.Object({
    name: Type.String(),
    kind: Type.Unsafe<'video' | 'audio'>({ type: 'string', enum: ['video', 'audio'] }),
    segments_made: Type.Integer(),
    segments: Type.Integer(),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    language_code: Type.Optional(Type.String()),
  }),
  { name: 'v1080', kind: 'video', segments_made: 4, segments: 8, width: 1920, height: 1080 },
)

export const Progress = named(
  'VideoProgress',
  Type.Object({
    video_id: AnsweredId<'video'>(),
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
    renditions: Type.Array(ref(RenditionProgress)),
    import: Type.Optional(ref(ImportProgress)),
  }),
  {
    video_id: exampleId('video'),
    status: 'processing',
    percent: 50,
    renditions: [exampleOf(RenditionProgress)],
  },
)
export type Progress = Static<typeof Progress>

import { type Static, Type } from 'typebox'
import { exampleId, type FeedId } from '../base/ids.ts'
import type { MediaFilter } from '../base/media.ts'
import { AnsweredMetadata, AnsweredVisibility, mediaFilterProperties } from '../http/media-schemas.ts'
import { orderedBy, type Page, pageProperties } from '../http/pagination.ts'
import {
  AnsweredId,
  CursorPagination,
  EXAMPLE_TIME,
  exampleOf,
  Id,
  Ids,
  named,
  Pagination,
  ref,
  Timestamp,
} from '../http/schemas.ts'

const KINDS = ['video', 'image'] as const
/** What was never completed is in no list, so the other states of a file do not occur. */
const STATUSES = ['ready', 'error'] as const

export type MediaKind = (typeof KINDS)[number]

const Kind = Type.Unsafe<MediaKind>({ type: 'string', enum: [...KINDS] })

const EXAMPLE_URL = `http://localhost:8080/cdn/${exampleId('project')}/${exampleId('file')}`

export const MediaItem = named(
  'MediaItem',
  Type.Object({
    id: Type.String({ description: 'of the video or the image' }),
    kind: Kind,
    name: Type.String(),
    description: Type.Optional(Type.String({ description: 'absent where there is none' })),
    visibility: Type.Optional(AnsweredVisibility),
    metadata: Type.Optional(AnsweredMetadata),
    status: Type.String({
      enum: [...STATUSES],
      description: '`ready`: it is served; `error`: the rest of a video could not be made',
    }),
    size: Type.Integer({ description: 'bytes' }),
    duration: Type.Optional(Type.Number({ description: 'of a video, in seconds' })),
    width: Type.Integer({ description: 'as displayed' }),
    height: Type.Integer({ description: 'as displayed' }),
    thumbhash: Type.Optional(Type.String({ description: 'base64; of a video, that of its poster' })),
    percent: Type.Optional(
      Type.Number({ description: 'of a video: how much of its segments is made; 100 once all of it is' }),
    ),
    url: Type.String({ description: 'of the content: an image, or a playlist' }),
    thumbnail_url: Type.String({ description: 'of a small picture; other sizes by another `w`' }),
    created_at: Timestamp,
  }),
  {
    id: exampleId('video'),
    kind: 'video',
    name: 'harbour.mp4',
    status: 'ready',
    size: 18874368,
    duration: 42.5,
    width: 1920,
    height: 1080,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    percent: 100,
    url: EXAMPLE_URL,
    thumbnail_url: `${EXAMPLE_URL}?w=640`,
    created_at: EXAMPLE_TIME,
  },
)
export type MediaItem = Static<typeof MediaItem>

export const MediaPage = named(
  'MediaPage',
  Type.Object({ data: Type.Array(ref(MediaItem)), pagination: ref(CursorPagination) }),
  { data: [exampleOf(MediaItem)], pagination: exampleOf(CursorPagination) },
)
export type MediaPage = Static<typeof MediaPage>

export const MEDIA_SORTS = ['created_at', 'name', 'size', 'duration'] as const
export type MediaSort = (typeof MEDIA_SORTS)[number]
const ORDERS = ['asc', 'desc'] as const

/** Which media of a project, as clients say it. */
export interface WantedMedia extends MediaFilter {
  ids?: string
  kind?: MediaKind
  min_duration?: number
  max_duration?: number
  min_size?: number
  max_size?: number
  created_after?: string
  created_before?: string
  feed_id?: FeedId
}

export interface MediaListing extends WantedMedia, Page {
  sort: MediaSort
  order: (typeof ORDERS)[number]
  cursor?: string
}

const Seconds = Type.Number({ minimum: 0, description: 'seconds; leaves only videos' })
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'bytes' })

export const MediaQuery = Type.Unsafe<Omit<MediaListing, 'metadata'>>(
  Type.Object({
    ...pageProperties,
    cursor: Type.Optional(
      Type.String({ maxLength: 1000, description: 'from `pagination.next_cursor`; instead of `offset`' }),
    ),
    ids: Type.Optional(Ids('video', 'image')),
    ...mediaFilterProperties,
    kind: Type.Optional(Kind),
    min_duration: Type.Optional(Seconds),
    max_duration: Type.Optional(Seconds),
    min_size: Type.Optional(Bytes),
    max_size: Type.Optional(Bytes),
    created_after: Type.Optional(
      Type.String({ format: 'date-time', description: 'at this time or later, RFC 3339' }),
    ),
    created_before: Type.Optional(
      Type.String({ format: 'date-time', description: 'before this time, RFC 3339' }),
    ),
    feed_id: Type.Optional(Id('feed')),
    sort: Type.Optional(
      Type.String({
        enum: [...MEDIA_SORTS],
        default: 'created_at',
        description: '`duration`: images have none, which is shorter than any',
      }),
    ),
    order: Type.Optional(Type.String({ enum: [...ORDERS], default: 'desc' })),
  }),
)

const UploadUnderWay = named(
  'UploadUnderWay',
  Type.Object({
    id: Type.String({
      description: 'of the video or the image that it becomes: to complete it or to delete it',
    }),
    kind: Kind,
    post_id: Type.Optional(AnsweredId<'post'>()),
    name: Type.String(),
    status: Type.Unsafe<'uploading' | 'processing' | 'failed'>({
      type: 'string',
      enum: ['uploading', 'processing', 'failed'],
      description: '`processing`: it is being completed; `failed`: it could not be imported',
    }),
    reason: Type.Optional(Type.String({ description: 'of a failure' })),
    received: Type.Integer({ description: 'bytes that have arrived; of one PUT, none before all have' }),
    size: Type.Optional(Type.Integer({ description: 'bytes of the whole file, where they are known' })),
    created_at: Timestamp,
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
  {
    id: exampleId('video'),
    kind: 'video',
    name: 'harbour.mp4',
    status: 'uploading',
    received: 8388608,
    size: 18874368,
    created_at: EXAMPLE_TIME,
    upload_expires: 1777890600,
  },
)

export const UploadPage = named(
  'UploadPage',
  Type.Object({ data: Type.Array(ref(UploadUnderWay)), pagination: ref(Pagination) }),
  { data: [exampleOf(UploadUnderWay)], pagination: exampleOf(Pagination) },
)
export type UploadPage = Static<typeof UploadPage>

export interface UploadListing extends Page {
  kind?: MediaKind
}

export const UploadQuery = Type.Unsafe<UploadListing>(
  Type.Object({ ...pageProperties, ...orderedBy('created_at', 'desc'), kind: Type.Optional(Kind) }),
)

export const MediaUse = named(
  'MediaUse',
  Type.Object({
    feed_id: AnsweredId<'feed'>(),
    feed_name: Type.String(),
    post_id: AnsweredId<'post'>(),
    status: Type.Unsafe<'published' | 'draft'>({ type: 'string', enum: ['published', 'draft'] }),
    published_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'what the post is dated; absent for a draft' }),
    ),
  }),
  {
    feed_id: exampleId('feed'),
    feed_name: 'News',
    post_id: exampleId('post'),
    status: 'published',
    published_at: EXAMPLE_TIME,
  },
)
export type MediaUse = Static<typeof MediaUse>

export const MediaUses = named(
  'MediaUses',
  Type.Object({ data: Type.Array(ref(MediaUse)), pagination: ref(Pagination) }),
  { data: [exampleOf(MediaUse)], pagination: exampleOf(Pagination) },
)
export type MediaUses = Static<typeof MediaUses>

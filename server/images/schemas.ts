import { type Static, Type } from 'typebox'
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
import { type Page, pageProperties } from '../http/pagination.ts'
import {
  AnsweredId,
  ClearableProse,
  EXAMPLE_UPLOAD_URL,
  exampleOf,
  Id,
  named,
  Pagination,
  ref,
} from '../http/schemas.ts'
import { sameAs } from '../http/synonyms.ts'
import { ImportProgress, ImportUrl } from '../uploads/index.ts'

const Part = Type.Number({ minimum: 0, maximum: 1 })
const FocalPoint = named('FocalPoint', Type.Object({ x: Part, y: Part }), { x: 0.5, y: 0.25 })

export const OneImage = Type.Object({ imageId: Id('image') })

export const Image = named(
  'Image',
  Type.Object({
    id: AnsweredId<'image'>(),
    file: ref(File),
    width: Type.Integer(),
    height: Type.Integer(),
    thumbhash: Type.String({ description: 'base64' }),
    attached_to_video: Type.Boolean(),
    description: Type.Optional(Type.String({ description: 'absent where there is none' })),
    focal_point: Type.Optional(ref(FocalPoint)),
    visibility: Type.Optional(AnsweredVisibility),
    metadata: Type.Optional(AnsweredMetadata),
  }),
  {
    id: exampleId('image'),
    file: exampleOf(File),
    width: 1600,
    height: 1000,
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    attached_to_video: false,
  },
)
export type Image = Static<typeof Image>

export const ImageList = named(
  'ImageList',
  Type.Object({ data: Type.Array(ref(Image)), pagination: ref(Pagination) }),
  { data: [exampleOf(Image)], pagination: exampleOf(Pagination) },
)

const SORTS = ['created_at', 'name', 'size', 'updated_at'] as const
const ORDERS = ['asc', 'desc'] as const

export interface ImagePage extends Page {
  attached_to_video?: boolean
  sort: (typeof SORTS)[number]
  order: (typeof ORDERS)[number]
}

export const ImageQuery = Type.Unsafe<ImagePage & Omit<MediaFilter, 'metadata'>>(
  Type.Object({
    ...pageProperties,
    ...mediaFilterProperties,
    attached_to_video: Type.Optional(
      Type.Boolean({
        description: '`true`: posters and what else is attached; where it is left out, all but posters',
      }),
    ),
    sort: Type.Optional(Type.String({ enum: [...SORTS], default: 'created_at' })),
    order: Type.Optional(Type.String({ enum: [...ORDERS], default: 'desc' })),
  }),
)

/** A client's own name for a file: any text at all, kept as it is and never used as a path. */
export const FileName = Type.String({ minLength: 1, maxLength: 1024 })

export const ImageFormat = Type.Unsafe<'jpg' | 'png' | 'webp'>({
  type: 'string',
  enum: ['jpg', 'png', 'webp'],
  description: 'What the client means to send; the content decides.',
})

export interface NewImage {
  file_name: string
  image_format?: Static<typeof ImageFormat>
  file_size?: number
  resumable?: boolean
}

export const NewImage = named(
  'NewImage',
  Type.Unsafe<NewImage>(
    Type.Object({
      file_name: FileName,
      image_format: Type.Optional(ImageFormat),
      ...uploadProperties,
      name: sameAs('file_name', FileName),
      format: sameAs('image_format', ImageFormat),
    }),
  ),
  { file_name: 'harbour.jpg', image_format: 'jpg' },
)

export const ImageChanges = named(
  'ImageChanges',
  Type.Object({
    name: Type.Optional(FileName),
    description: Type.Optional(ClearableProse),
    focal_point: Type.Optional(
      Type.Union([ref(FocalPoint), Type.Null()], {
        description: 'what stays in view where the image is cut, from its left and top; null: its middle',
      }),
    ),
    visibility: Type.Optional(Visibility),
    metadata: Type.Optional(MetadataChange),
  }),
  {
    name: 'The harbour.jpg',
    description: 'From the pier, in the morning',
    visibility: 'private',
    metadata: { album: 'Harbour' },
  },
)
export type ImageChanges = Static<typeof ImageChanges>

export const BegunImage = named(
  'ImageUpload',
  Type.Object({
    image_id: AnsweredId<'image'>(),
    presigned_url: Type.String(),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
  {
    image_id: exampleId('image'),
    presigned_url: EXAMPLE_UPLOAD_URL,
    upload_expires: 1777890600,
  },
)
export type BegunImage = Static<typeof BegunImage>

/** Of a file that the service fetches: it is one that is uploaded, by the service itself. */
export const ImportStatus = Type.Unsafe<'uploading'>({
  type: 'string',
  enum: ['uploading'],
  description: 'of its file; its `progress` tells the rest',
})

export const ImportImage = named(
  'ImageImportRequest',
  Type.Object({ url: ImportUrl, file_name: Type.Optional(FileName) }),
  { url: 'https://example.com/pictures/harbour.jpg' },
)
export type ImportImage = Static<typeof ImportImage>

export const ImportedImage = named(
  'ImageImport',
  Type.Object({
    image_id: AnsweredId<'image'>(),
    upload_expires: Type.Integer({ description: 'Unix time in seconds until when it is tried' }),
    status: ImportStatus,
  }),
  { image_id: exampleId('image'), upload_expires: 1777890600, status: 'uploading' },
)
export type ImportedImage = Static<typeof ImportedImage>

export const ImageProgress = named(
  'ImageProgress',
  Type.Object({
    image_id: AnsweredId<'image'>(),
    status: Type.Unsafe<'processing' | 'complete' | 'failed'>({
      type: 'string',
      enum: ['processing', 'complete', 'failed'],
    }),
    reason: Type.Optional(Type.String({ description: 'of a failure' })),
    import: Type.Optional(ref(ImportProgress)),
  }),
  { image_id: exampleId('image'), status: 'processing', import: exampleOf(ImportProgress) },
)
export type ImageProgress = Static<typeof ImageProgress>

export const Completion = named(
  'ImageCompletion',
  Type.Object({ image_id: Id('image'), attached_to_video: Type.Optional(Type.Boolean()) }),
  { image_id: exampleId('image') },
)

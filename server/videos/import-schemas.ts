import { type Static, Type } from 'typebox'
import { VideoQuality } from '../access/index.ts'
import { exampleId } from '../base/ids.ts'
import { AnsweredId, EXAMPLE_UPLOAD_URL, named } from '../http/schemas.ts'
import { FileName, ImportStatus } from '../images/index.ts'
import { ImportUrl } from '../uploads/index.ts'

export const ImportVideo = named(
  'VideoImportRequest',
  Type.Object({
    url: ImportUrl,
    file_name: Type.Optional(FileName),
    video_quality: Type.Optional(VideoQuality),
  }),
  { url: 'https://example.com/films/harbour.mp4', video_quality: 'basic' },
)
export type ImportVideo = Static<typeof ImportVideo>

export const ImportedVideo = named(
  'VideoImport',
  Type.Object({
    video_id: AnsweredId<'video'>(),
    poster_id: AnsweredId<'image'>(),
    poster_presigned_url: Type.String({ description: 'where nothing is sent, a frame becomes the poster' }),
    upload_expires: Type.Integer({ description: 'Unix time in seconds until when it is tried' }),
    status: ImportStatus,
  }),
  {
    video_id: exampleId('video'),
    poster_id: exampleId('image'),
    poster_presigned_url: EXAMPLE_UPLOAD_URL,
    upload_expires: 1777890600,
    status: 'uploading',
  },
)
export type ImportedVideo = Static<typeof ImportedVideo>

import { type Static, Type } from 'typebox'
import { File } from '../http/file-schemas.ts'
import { Id, named, ref } from '../http/schemas.ts'

export const Image = named(
  'Image',
  Type.Object({
    id: Type.String(),
    file: ref(File),
    width: Type.Integer(),
    height: Type.Integer(),
    thumbhash: Type.String({ description: 'base64' }),
    attached_to_video: Type.Boolean(),
  }),
)
export type Image = Static<typeof Image>

/** A client's own name for a file: any text at all, kept as it is and never used as a path. */
export const FileName = Type.String({ minLength: 1, maxLength: 1024 })

export const ImageFormat = Type.Unsafe<'jpg' | 'png' | 'webp'>({
  type: 'string',
  enum: ['jpg', 'png', 'webp'],
  description: 'What the client means to send; the content decides.',
})

export const NewImage = Type.Object({
  file_name: FileName,
  image_format: Type.Optional(ImageFormat),
})
export type NewImage = Static<typeof NewImage>

export const BegunImage = named(
  'ImageUpload',
  Type.Object({
    image_id: Type.String(),
    presigned_url: Type.String(),
    upload_expires: Type.Integer({ description: 'Unix time in seconds' }),
  }),
)
export type BegunImage = Static<typeof BegunImage>

export const Completion = Type.Object({
  image_id: Id('image'),
  attached_to_video: Type.Optional(Type.Boolean()),
})

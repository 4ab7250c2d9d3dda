import { type Static, Type } from 'typebox'
import { named, Timestamp } from './schemas.ts'

const STATUSES = ['preparing', 'uploading', 'uploaded', 'processing', 'ready', 'error']

/** A file as every kind of media carries it. */
export const File = named(
  'File',
  Type.Object({
    id: Type.String(),
    name: Type.String({ description: 'original file name' }),
    format: Type.String({ description: 'what is served' }),
    size: Type.Integer(),
    status: Type.String({ enum: STATUSES, description: '`ready`: its url serves it now' }),
    url: Type.String(),
    project_id: Type.String(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type File = Static<typeof File>

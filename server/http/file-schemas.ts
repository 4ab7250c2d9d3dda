import { type Static, Type } from 'typebox'
import { exampleId } from '../base/ids.ts'
import { AnsweredId, EXAMPLE_TIME, named, Timestamp } from './schemas.ts'

const STATUSES = ['preparing', 'uploading', 'uploaded', 'processing', 'ready', 'error']

/** What an init operation may be told of the upload beside the file's name. */
export const uploadProperties = {
  file_size: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'bytes, where they are known: the address takes no more. With media in S3 it is then one of S3, which takes no other number',
    }),
  ),
  resumable: Type.Optional(
    Type.Boolean({
      description: 'asks for an address that speaks tus also where others are those of an S3 server',
    }),
  ),
}

/** A file as every kind of media carries it. */
export const File = named(
  'File',
  Type.Object({
    id: AnsweredId<'file'>(),
    name: Type.String({ description: 'of the original file, until it is given another' }),
    format: Type.String({ description: 'what is served' }),
    size: Type.Integer(),
    status: Type.String({ enum: STATUSES, description: '`ready`: its url serves it now' }),
    url: Type.String(),
    project_id: AnsweredId<'project'>(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: exampleId('file'),
    name: 'harbour.jpg',
    format: 'avif',
    size: 48213,
    status: 'ready',
    url: `http://localhost:8080/cdn/${exampleId('project')}/${exampleId('file')}`,
    project_id: exampleId('project'),
    created_at: EXAMPLE_TIME,
    updated_at: EXAMPLE_TIME,
  },
)
export type File = Static<typeof File>

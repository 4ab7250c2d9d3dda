import { ProjectHeader, projectOf } from '../access/index.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { METADATA_QUERY, metadataIn } from '../http/media-schemas.ts'
import { operation } from '../http/operation.ts'
import { PageQuery } from '../http/pagination.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { OneImage } from '../images/index.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { OneVideo } from '../videos/index.ts'
import { listMedia } from './list-media.ts'
import { listUploads } from './list-uploads.ts'
import { listUses } from './list-uses.ts'
import { MediaPage, MediaQuery, MediaUses, UploadPage, UploadQuery } from './schemas.ts'

const tag = 'Library'

export interface LibraryDeps {
  sql: Sql
  objects: ObjectStore
  cdnUrl: CdnUrl
}

export function libraryRoutes(deps: LibraryDeps): (app: App) => void {
  return (app) => {
    app.get(
      '/media',
      operation({
        tag,
        id: 'listMedia',
        summary: 'List videos and images of the project in one list: search, filter and sort them',
        description: `Newest first where nothing else is asked for, without the posters of videos. By \`limit\` and \`offset\`, or, for endless scrolling, by \`cursor\`, with the same filters and order: then no item is seen twice and none is skipped, whatever comes and goes meanwhile. \`feed_id\` leaves what published posts of that feed show. ${METADATA_QUERY}`,
        request: { headers: ProjectHeader, querystring: MediaQuery },
        answers: { 200: ref(MediaPage) },
      }),
      async (request) => {
        const wanted = { ...request.query, metadata: metadataIn(request.query) }
        return listMedia(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    app.get(
      '/uploads',
      operation({
        tag: 'Uploads',
        id: 'listUploads',
        summary: 'List what was begun and not completed yet, newest first, with how much of it has arrived',
        description:
          'Without the posters of videos. What is listed ends by itself at `upload_expires`, or when the video or the image is deleted.',
        request: { headers: ProjectHeader, querystring: UploadQuery },
        answers: { 200: ref(UploadPage) },
      }),
      async (request) => listUploads(request.caller, await projectOf(request, deps.sql), request.query, deps),
    )

    app.get(
      '/videos/:videoId/uses',
      operation({
        tag,
        id: 'listVideoUses',
        summary: 'List the posts that show a video, newest first',
        errors: { 404: 'Video not found' },
        request: { headers: ProjectHeader, params: OneVideo, querystring: PageQuery },
        answers: { 200: ref(MediaUses) },
      }),
      async (request) => {
        const used = { kind: 'video' as const, id: request.params.videoId }
        const wanted = { used, page: request.query }
        return listUses(request.caller, await projectOf(request, deps.sql), wanted, deps.sql)
      },
    )

    app.get(
      '/images/:imageId/uses',
      operation({
        tag,
        id: 'listImageUses',
        summary: 'List the posts that show an image, newest first',
        errors: { 404: 'Image not found' },
        request: {
          headers: ProjectHeader,
          params: OneImage,
          querystring: PageQuery,
        },
        answers: { 200: ref(MediaUses) },
      }),
      async (request) => {
        const used = { kind: 'image' as const, id: request.params.imageId }
        const wanted = { used, page: request.query }
        return listUses(request.caller, await projectOf(request, deps.sql), wanted, deps.sql)
      },
    )
  }
}

import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../access/index.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { METADATA_QUERY, metadataIn } from '../http/media-schemas.ts'
import { type FormOptions, formOf, formOperation, formRoutes } from '../http/multipart.ts'
import { operation } from '../http/operation.ts'
import { orderedBy, partOf, partQuery } from '../http/pagination.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { toldTotal, type UploadDeps } from '../uploads/index.ts'
import { beginVideo } from './begin-video.ts'
import { chapterRoutes } from './chapters/routes.ts'
import { type DeleteVideoDeps, deleteVideo } from './delete-video.ts'
import { Languages } from './language-schemas.ts'
import { listLanguages, listVideos, showVideo } from './read-videos.ts'
import {
  BegunVideo,
  NewVideo,
  OneVideo,
  ThumbnailForm,
  Video,
  VideoChanges,
  VideoList,
  VideoQuery,
} from './schemas.ts'
import { setThumbnail, type ThumbnailDeps } from './set-thumbnail.ts'
import { subtitleRoutes } from './subtitles/routes.ts'
import type { TrackDeps } from './tracks/put-tracks.ts'
import { trackRoutes } from './tracks/routes.ts'
import { type RestoreDeps, undeleteVideo } from './trash.ts'
import { updateVideo } from './update-video.ts'

const tag = 'Videos'

export interface VideoDeps
  extends UploadDeps,
    FormOptions,
    ThumbnailDeps,
    DeleteVideoDeps,
    TrackDeps,
    RestoreDeps {
  sql: TrackDeps['sql']
  objects: UploadDeps['objects']
  workDir: string
  cdnUrl: CdnUrl
  transcoder: DeleteVideoDeps['transcoder'] & TrackDeps['transcoder']
}

export function videoRoutes(deps: VideoDeps): (app: App) => void {
  return (app) => {
    app.post(
      '/videos/upload/init',
      operation({
        tag,
        id: 'initVideo',
        summary: 'Ask for addresses to upload a video and its poster to',
        request: { headers: ProjectHeader, body: NewVideo },
        answers: { 200: ref(BegunVideo) },
      }),
      async (request) => beginVideo(request.caller, await projectOf(request, deps.sql), request.body, deps),
    )

    app.get(
      '/videos',
      operation({
        tag,
        id: 'listVideos',
        summary: 'List the videos of the project; search and filter them',
        description: METADATA_QUERY,
        errors: { 400: 'Invalid query parameters' },
        request: { headers: ProjectHeader, querystring: VideoQuery },
        answers: { 200: ref(VideoList) },
      }),
      async (request) => {
        const { limit, offset } = request.query
        const scope = await projectOf(request, deps.sql)
        const wanted = { ...request.query, metadata: metadataIn(request.query) }
        const { videos, total } = await listVideos(request.caller, scope, wanted, deps)
        return { data: videos, pagination: { limit, offset, ...toldTotal(total) } }
      },
    )

    app.get(
      '/videos/languages',
      operation({
        tag,
        id: 'listLanguages',
        summary: 'List languages to offer for subtitles and audio tracks; others are taken as well',
        request: { headers: ProjectHeader, querystring: partQuery(orderedBy('name', 'asc')) },
        answers: { 200: ref(Languages) },
      }),
      async (request) =>
        partOf(listLanguages(request.caller, await projectOf(request, deps.sql)), request.query),
    )

    app.get(
      '/videos/:videoId',
      operation({
        tag,
        id: 'getVideo',
        summary: 'Show a video',
        errors: { 400: 'Invalid video ID', 404: 'Video not found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 200: ref(Video) },
      }),
      async (request) =>
        showVideo(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps),
    )

    app.patch(
      '/videos/:videoId',
      operation({
        tag,
        id: 'updateVideo',
        summary: 'Name and describe a video, and say who may see it; what is left out stays',
        description:
          '`name` is that of its `file`. A `description` of null, or an empty one, takes it away. `visibility` is also that of its poster; it holds for every request from then on.',
        errors: { 404: 'Video not found' },
        request: { headers: ProjectHeader, params: OneVideo, body: VideoChanges },
        answers: { 200: ref(Video) },
      }),
      async (request) => {
        const wanted = { videoId: request.params.videoId, changes: request.body }
        return updateVideo(request.caller, await projectOf(request, deps.sql), wanted, deps)
      },
    )

    app.delete(
      '/videos/:videoId',
      operation({
        tag,
        id: 'deleteVideo',
        summary: 'Delete a video with everything that belongs to it, or cancel its upload',
        description:
          'An upload that was begun and not completed ends: its addresses stop working, and what has arrived goes. 409 only in the moment in which it is completed.',
        errors: { 404: 'Not Found', 409: 'Conflict' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deleteVideo(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/videos/:videoId/restore',
      operation({
        tag,
        id: 'restoreVideo',
        summary: 'Take back that a video was deleted, while it is in the trash',
        description:
          'It comes back with all that belonged to it, and the posts that showed it in their places. 404 where it is not in the trash, or no longer; 403 where its project has no room for it.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 200: ref(Video) },
      }),
      async (request) =>
        undeleteVideo(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps),
    )

    formRoutes(app, (scope) => {
      scope.put(
        '/videos/:videoId/thumbnail',
        formOperation({
          tag,
          id: 'setThumbnail',
          summary: 'Set the poster of a video',
          description: 'JPEG, PNG, WebP, AVIF, GIF or HEIC, at most 5 MB; of what moves, the first picture.',
          errors: { 404: 'Not Found' },
          request: {
            headers: ProjectHeader,
            params: OneVideo,
            body: ThumbnailForm,
          },
          answers: { 200: ref(Video) },
        }),
        async (request) =>
          setThumbnail(
            request.caller,
            await projectOf(request, deps.sql),
            { videoId: request.params.videoId, useForm: formOf(request, deps) },
            deps,
          ),
      )
    })

    subtitleRoutes(app, deps)
    trackRoutes(app, deps)
    chapterRoutes(app, deps)
  }
}

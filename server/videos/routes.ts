import { Type } from 'typebox'
import { projectOf } from '../access/projects/resolve-project.ts'
import { ProjectHeader } from '../access/projects/schemas.ts'
import { FormFileSchema, type FormOptions, formOf, formOperation, formRoutes } from '../http/multipart.ts'
import { operation } from '../http/operation.ts'
import { orderedBy, partOf, partQuery } from '../http/pagination.ts'
import { Pagination, ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import type { UploadDeps } from '../uploads/begin-upload.ts'
import { beginVideo } from './begin-video.ts'
import { chapterRoutes } from './chapters/routes.ts'
import { type DeleteDeps, deleteVideo } from './delete-video.ts'
import { listLanguages, listVideos, showVideo } from './read-videos.ts'
import {
  AudioTrack,
  BegunVideo,
  Chapter,
  NewVideo,
  OneVideo,
  Subtitle,
  Video,
  VideoQuery,
} from './schemas.ts'
import { setThumbnail, type ThumbnailDeps } from './set-thumbnail.ts'
import { subtitleRoutes } from './subtitles/routes.ts'
import type { TrackDeps } from './tracks/put-tracks.ts'
import { trackRoutes } from './tracks/routes.ts'

const tag = 'Videos'

export interface VideoDeps extends UploadDeps, FormOptions, ThumbnailDeps, DeleteDeps, TrackDeps {
  sql: TrackDeps['sql']
  objects: UploadDeps['objects']
  workDir: string
  cdnUrl: string
  player: DeleteDeps['player'] & TrackDeps['player']
}

export function videoRoutes(deps: VideoDeps): (app: App) => void {
  return (app) => {
    for (const schema of [Chapter, Video, BegunVideo, Subtitle, AudioTrack]) app.addSchema(schema)

    app.post(
      '/videos/upload/init',
      operation({
        tag,
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
        summary: 'List the videos of the project',
        errors: { 400: 'Invalid query parameters' },
        request: { headers: ProjectHeader, querystring: VideoQuery },
        answers: { 200: Type.Object({ data: Type.Array(ref(Video)), pagination: ref(Pagination) }) },
      }),
      async (request) => {
        const { limit, offset } = request.query
        const scope = await projectOf(request, deps.sql)
        const { videos, total } = await listVideos(request.caller, scope, request.query, deps)
        return { data: videos, pagination: { limit, offset, total } }
      },
    )

    app.get(
      '/videos/languages',
      operation({
        tag,
        summary: 'List languages to offer for subtitles and audio tracks; others are taken as well',
        request: { headers: ProjectHeader, querystring: partQuery(orderedBy('name', 'asc')) },
        answers: { 200: Type.Array(Type.Object({ code: Type.String(), name: Type.String() })) },
      }),
      async (request) =>
        partOf(listLanguages(request.caller, await projectOf(request, deps.sql)), request.query),
    )

    app.get(
      '/videos/:videoId',
      operation({
        tag,
        summary: 'Show a video',
        errors: { 400: 'Invalid video ID', 404: 'Video not found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 200: ref(Video) },
      }),
      async (request) =>
        showVideo(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps),
    )

    app.delete(
      '/videos/:videoId',
      operation({
        tag,
        summary: 'Delete a video with everything that belongs to it',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deleteVideo(request.caller, await projectOf(request, deps.sql), request.params.videoId, deps)
        return reply.code(204).send(null)
      },
    )

    formRoutes(app, (scope) => {
      scope.put(
        '/videos/:videoId/thumbnail',
        formOperation({
          tag,
          summary: 'Set the poster of a video',
          description: 'JPEG, PNG, WebP or HEIC, at most 5 MB.',
          errors: { 404: 'Not Found' },
          request: {
            headers: ProjectHeader,
            params: OneVideo,
            body: Type.Object({ thumbnail: FormFileSchema }),
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

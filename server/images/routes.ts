import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ProjectHeader, resolveProject, type StorageDeps } from '../access/index.ts'
import type { ProjectId } from '../base/ids.ts'
import { METADATA_QUERY, metadataIn } from '../http/media-schemas.ts'
import { operation } from '../http/operation.ts'
import { ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { toldTotal, type UploadDeps } from '../uploads/index.ts'
import { beginImage } from './begin-image.ts'
import { type CompleteImageDeps, completeImage } from './complete-image.ts'
import { type DeleteImageDeps, deleteImage } from './delete-image.ts'
import { listImages, showImage } from './read-images.ts'
import {
  BegunImage,
  Completion,
  Image,
  ImageChanges,
  ImageList,
  ImageQuery,
  NewImage,
  OneImage,
} from './schemas.ts'
import { undeleteImage } from './trash.ts'
import { updateImage } from './update-image.ts'

const tag = 'Images'

export function imageRoutes(
  deps: UploadDeps & StorageDeps & CompleteImageDeps & DeleteImageDeps,
): (app: App) => void {
  const scopeOf = (request: Pick<FastifyRequest, 'caller'> & { headers: { 'x-project-id'?: ProjectId } }) =>
    resolveProject(request.caller, request.headers['x-project-id'], deps.sql)

  return (app) => {
    app.post(
      '/images/upload/init',
      operation({
        tag,
        id: 'initImage',
        summary: 'Ask for an address to upload an image to',
        request: { headers: ProjectHeader, body: NewImage },
        answers: { 200: ref(BegunImage) },
      }),
      async (request) => beginImage(request.caller, await scopeOf(request), request.body, deps),
    )

    app.post(
      '/images/upload/complete',
      operation({
        tag,
        id: 'completeImage',
        summary: 'Make an image of what was uploaded',
        errors: {
          400: 'Invalid request body',
          401: 'Unauthorized - Invalid API key',
          403: 'Access denied',
          404: 'File not found',
          500: 'Failed to complete upload or create image',
        },
        request: { headers: ProjectHeader, body: Completion },
        answers: { 200: ref(Image) },
      }),
      async (request) => {
        const { image_id: imageId, attached_to_video: attachedToVideo = false } = request.body
        return completeImage(request.caller, await scopeOf(request), { imageId, attachedToVideo }, deps)
      },
    )

    app.get(
      '/images',
      operation({
        tag,
        id: 'listImages',
        summary: 'List the images of the project, newest first where nothing else is asked for',
        description: `Posters of videos are left out, unless \`attached_to_video\` asks for them. ${METADATA_QUERY}`,
        request: { headers: ProjectHeader, querystring: ImageQuery },
        answers: { 200: ref(ImageList) },
      }),
      async (request) => {
        const { images, total } = await listImages(
          request.caller,
          await scopeOf(request),
          { ...request.query, metadata: metadataIn(request.query) },
          deps,
        )
        const { limit, offset } = request.query
        return { data: images, pagination: { limit, offset, ...toldTotal(total) } }
      },
    )

    app.get(
      '/images/:imageId',
      operation({
        tag,
        id: 'getImage',
        summary: 'Show an image',
        errors: { 400: 'Invalid image ID', 404: 'Image not found' },
        request: { headers: ProjectHeader, params: OneImage },
        answers: { 200: ref(Image) },
      }),
      async (request) => showImage(request.caller, await scopeOf(request), request.params.imageId, deps),
    )

    app.patch(
      '/images/:imageId',
      operation({
        tag,
        id: 'updateImage',
        summary:
          'Name and describe an image, say who may see it and what matters in it; what is left out stays',
        description:
          '`name` is that of its `file`. A `description` of null, or an empty one, takes it away. `focal_point` stays in view where a size of the image is cut (`fit=cover`). A poster has the `visibility` of its video, and is refused another (409).',
        errors: { 404: 'Image not found', 409: 'Conflict' },
        request: { headers: ProjectHeader, params: OneImage, body: ImageChanges },
        answers: { 200: ref(Image) },
      }),
      async (request) => {
        const wanted = { imageId: request.params.imageId, changes: request.body }
        return updateImage(request.caller, await scopeOf(request), wanted, deps)
      },
    )

    app.delete(
      '/images/:imageId',
      operation({
        tag,
        id: 'deleteImage',
        summary: 'Delete an image, which is no longer served from then on, or cancel its upload',
        description:
          'Where it was the poster of a video, the video takes a picture of its own as its poster instead. An upload that was begun and not completed ends: its address stops working, and what has arrived goes. 409 only in the moment in which it, or the video whose poster it is, is completed.',
        errors: {
          400: 'Invalid project ID or image ID',
          403: 'Access denied',
          404: 'Image not found',
          409: 'Conflict',
          500: 'Failed to delete image',
        },
        request: { headers: ProjectHeader, params: OneImage },
        answers: { 204: Type.Null() },
      }),
      async (request, reply) => {
        await deleteImage(request.caller, await scopeOf(request), request.params.imageId, deps)
        return reply.code(204).send(null)
      },
    )

    app.post(
      '/images/:imageId/restore',
      operation({
        tag,
        id: 'restoreImage',
        summary: 'Take back that an image was deleted, while it is in the trash',
        description:
          'It comes back with the posts that showed it, in their places; what was a poster is an image by itself then. 404 where it is not in the trash, or no longer; 403 where its project has no room for it.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneImage },
        answers: { 200: ref(Image) },
      }),
      async (request) => undeleteImage(request.caller, await scopeOf(request), request.params.imageId, deps),
    )
  }
}

import { ProjectHeader, projectOf } from '../../access/index.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { NewClip, OneVideo, Video } from '../schemas.ts'
import { type ClipDeps, createClip } from './create-clip.ts'

export function clipRoutes(deps: ClipDeps): (app: App) => void {
  return (app) => {
    app.post(
      '/videos/:videoId/clips',
      operation({
        tag: 'Videos',
        id: 'createClip',
        summary: 'Make a video of a part of another; it plays from the answer on',
        description:
          'It begins with the picture that is on at `start`, and ends before the one that begins at `end`. Its subtitles and chapters are those of its part. It is a video of its own, and stays when the other is deleted.',
        errors: { 404: 'Video not found' },
        request: { headers: ProjectHeader, params: OneVideo, body: NewClip },
        answers: { 201: ref(Video) },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        const wanted = { videoId: request.params.videoId, clip: request.body }
        return reply.code(201).send(await createClip(request.caller, scope, wanted, deps))
      },
    )
  }
}

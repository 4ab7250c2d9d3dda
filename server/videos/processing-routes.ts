import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { ProjectHeader, projectOf, type StorageDeps } from '../access/index.ts'
import { CACHING } from '../base/caching.ts'
import { operation } from '../http/operation.ts'
import { contentOf, exampleOf, ref } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { untilGone } from '../http/until-gone.ts'
import type { Presentations } from '../transcoding/index.ts'
import type { ImportDeps, UploadDeps } from '../uploads/index.ts'
import { type CompleteVideoDeps, completeVideo } from './complete-video.ts'
import { ImportedVideo, ImportVideo } from './import-schemas.ts'
import { importVideo } from './import-video.ts'
import { OneVideo, Progress, Video, VideoCompletion } from './schemas.ts'
import { followProgress, showProgress } from './show-progress.ts'

const tag = 'Videos'
const FOLLOW_MS = 500

/** What makes a video out of an upload, and tells how far it is. */
export function processingRoutes(
  deps: CompleteVideoDeps &
    UploadDeps &
    StorageDeps &
    ImportDeps & { transcoder: { presentations: Presentations } },
): (app: App) => void {
  const { presentations } = deps.transcoder

  return (app) => {
    app.post(
      '/videos/upload/complete',
      operation({
        tag,
        id: 'completeVideo',
        summary: 'Make a video of what was uploaded; it plays from the answer on',
        errors: {
          400: 'Invalid request body',
          401: 'Unauthorized - Invalid API key',
          403: 'Access denied',
          404: 'File not found',
          500: 'Failed to complete upload',
        },
        request: { headers: ProjectHeader, body: VideoCompletion },
        answers: { 200: ref(Video) },
      }),
      async (request) =>
        completeVideo(request.caller, await projectOf(request, deps.sql), request.body.video_id, deps),
    )

    app.post(
      '/videos/import',
      operation({
        tag,
        id: 'importVideo',
        summary: 'Have the service fetch a video from an address',
        description:
          'In place of an upload and its completion: the video plays once it has come. Its `progress` tells how far that is, or why it failed; deleting the video gives it up. What is cut off goes on where it was.',
        request: { headers: ProjectHeader, body: ImportVideo },
        answers: { 202: ref(ImportedVideo) },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        return reply.code(202).send(await importVideo(request.caller, scope, request.body, deps))
      },
    )

    app.get(
      '/videos/:videoId/progress',
      operation({
        tag,
        id: 'getVideoProgress',
        summary: 'Tell how much of a video is made',
        description:
          'With `Accept: text/event-stream`, an event each time there is more, until it is all. Of a video that the service fetches, `import` tells how much has come.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: {
          200: contentOf<Progress>('how much there is, once or each time that it is more', {
            'application/json': ref(Progress),
            'text/event-stream': Type.String({
              description: 'events of the type `progress`, whose data is what is otherwise the answer',
              examples: [asEvent(exampleOf(Progress))],
            }),
          }),
        },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        const { videoId } = request.params
        const show = () => showProgress(request.caller, scope, videoId, { sql: deps.sql, presentations })
        const first = await show()
        if (!request.headers.accept?.includes('text/event-stream')) return first
        const events = followProgress(show, untilGone(reply), async (signal) => {
          await sleep(FOLLOW_MS, undefined, { signal }).catch(() => {})
        })
        reply
          .type('text/event-stream')
          .header('cache-control', CACHING.none)
          .header('x-accel-buffering', 'no')
        return reply.send(Readable.from(asEvents(events)) as never)
      },
    )
  }
}

async function* asEvents(all: AsyncIterable<Progress>): AsyncGenerator<string> {
  for await (const progress of all) yield asEvent(progress)
}

function asEvent(progress: Progress): string {
  return `event: progress\ndata: ${JSON.stringify(progress)}\n\n`
}

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { projectOf } from '../../access/projects/resolve-project.ts'
import { ProjectHeader } from '../../access/projects/schemas.ts'
import { varyBy } from '../../http/headers.ts'
import { operation } from '../../http/operation.ts'
import { contentOf, ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { untilGone } from '../../http/until-gone.ts'
import type { DeliveryDeps } from '../../playback/deliver-file.ts'
import { DELIVERY_ERRORS, deliveryAnswers, IMAGE_TYPES, send } from '../../playback/routes.ts'
import { OneVideo, Progress, ThumbnailQuery, Video, VideoCompletion } from '../schemas.ts'
import { type CompleteDeps, completeVideo } from './complete-video.ts'
import { followProgress, showProgress } from './show-progress.ts'
import { showStoryboard } from './show-storyboard.ts'
import { showThumbnail } from './show-thumbnail.ts'

const tag = 'Videos'
const FOLLOW_MS = 500

export type WatchDeps = CompleteDeps & DeliveryDeps

/** What makes a video out of an upload, and what is to be seen of it. */
export function watchRoutes(deps: WatchDeps): (app: App) => void {
  const { presentations } = deps.player

  return (app) => {
    app.addSchema(Progress)

    app.post(
      '/videos/upload/complete',
      operation({
        tag,
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

    app.route({
      // Not left to the framework, whose HEAD would not know the length of what it does not read.
      method: ['GET', 'HEAD'],
      url: '/videos/:videoId/thumbnail',
      ...operation({
        tag,
        summary: 'Show a picture of a video: its poster, or the one at a time',
        errors: DELIVERY_ERRORS,
        request: { headers: ProjectHeader, params: OneVideo, querystring: ThumbnailQuery },
        answers: deliveryAnswers(...IMAGE_TYPES),
      }),
      handler: async (request, reply) => {
        const { caller, params, query, headers } = request
        const wanted = { ...query, accept: headers.accept, signal: untilGone(reply) }
        const scope = await projectOf(request, deps.sql)
        varyBy(reply, 'Accept')
        return send(request, reply, await showThumbnail(caller, scope, params.videoId, wanted, deps))
      },
    })

    app.get(
      '/videos/:videoId/storyboard.vtt',
      operation({
        tag,
        summary: 'Previews for a seek bar: WebVTT whose cues are parts of sprite sheets',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: { 200: contentOf<string>('WebVTT', { 'text/vtt': Type.String() }) },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        const track = await showStoryboard(request.caller, scope, request.params.videoId, deps)
        return reply.type('text/vtt; charset=utf-8').send(track)
      },
    )

    app.get(
      '/videos/:videoId/progress',
      operation({
        tag,
        summary: 'Tell how much of a video is made',
        description: 'With `Accept: text/event-stream`, an event each time there is more, until it is all.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo },
        answers: {
          200: contentOf<Progress>('how much there is, once or each time that it is more', {
            'application/json': ref(Progress),
            'text/event-stream': Type.String({
              description: 'events of the type `progress`, whose data is what is otherwise the answer',
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
        reply.type('text/event-stream').header('cache-control', 'no-store').header('x-accel-buffering', 'no')
        return reply.send(Readable.from(asEvents(events)) as never)
      },
    )
  }
}

async function* asEvents(all: AsyncIterable<Progress>): AsyncGenerator<string> {
  for await (const progress of all) yield `event: progress\ndata: ${JSON.stringify(progress)}\n\n`
}

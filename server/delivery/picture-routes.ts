import { Type } from 'typebox'
import { ProjectHeader, projectOf } from '../access/index.ts'
import type { CdnUrl } from '../base/cdn-url.ts'
import { varyBy } from '../http/headers.ts'
import { operation } from '../http/operation.ts'
import { contentOf } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { untilGone } from '../http/until-gone.ts'
import { OneVideo, ThumbnailQuery } from '../videos/index.ts'
import type { DeliveryDeps } from './deliver-file.ts'
import { TokenQuery } from './playback-schemas.ts'
import { DELIVERY_ERRORS, DELIVERY_HEADERS, deliveryAnswers, IMAGE_TYPES, send } from './routes.ts'
import { showStoryboard } from './show-storyboard.ts'
import { showThumbnail } from './show-thumbnail.ts'

const tag = 'Videos'
const STORYBOARD =
  'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nhttp://localhost:8080/cdn/…/storyboard/0.jpg#xywh=0,0,160,90\n'

/** Pictures out of a video: its thumbnail, and the storyboard of a seek bar. */
export function pictureRoutes(deps: DeliveryDeps & { cdnUrl: CdnUrl }): (app: App) => void {
  return (app) => {
    app.route({
      // Not left to the framework, whose HEAD would not know the length of what it does not read.
      method: ['GET', 'HEAD'],
      url: '/videos/:videoId/thumbnail',
      ...operation({
        tag,
        id: 'getThumbnail',
        headId: 'headThumbnail',
        summary: 'Show a picture of a video: its poster, or the one at a time',
        errors: DELIVERY_ERRORS,
        request: { headers: ProjectHeader, params: OneVideo, querystring: ThumbnailQuery },
        answers: deliveryAnswers(...IMAGE_TYPES),
        sends: [...DELIVERY_HEADERS, 'Vary'],
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
        id: 'getStoryboard',
        summary: 'Previews for a seek bar: WebVTT whose cues are parts of sprite sheets',
        description: 'Of a private video, the addresses of its cues have the `token` that is given.',
        errors: { 404: 'Not Found' },
        request: { headers: ProjectHeader, params: OneVideo, querystring: TokenQuery },
        answers: {
          200: contentOf<string>('WebVTT', { 'text/vtt': Type.String({ examples: [STORYBOARD] }) }),
        },
      }),
      async (request, reply) => {
        const scope = await projectOf(request, deps.sql)
        const wanted = { videoId: request.params.videoId, token: request.query.token }
        const track = await showStoryboard(request.caller, scope, wanted, deps)
        return reply.type('text/vtt; charset=utf-8').send(track)
      },
    )
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { operation } from '../http/operation.ts'
import type { App } from '../http/types.ts'
import { untilGone } from '../http/until-gone.ts'
import { PREVIEW_LIMITS } from '../media/video/moving-preview.ts'
import { type DeliveryDeps, type DeliveryRequest, deliverFile } from './deliver-file.ts'
import { TokenQuery } from './playback-schemas.ts'
import {
  DELIVERY_ERRORS,
  DELIVERY_HEADERS,
  deliveryAnswers,
  OneFile,
  originOf,
  send,
  textOf,
} from './routes.ts'
import { requireAllowed } from './size-permission.ts'
import { SizeQuery } from './size-query.ts'

const tag = 'Delivery'
const { seconds, width, framesPerSecond } = PREVIEW_LIMITS

const DownloadQuery = Type.Object({
  height: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 8192,
      description:
        'the largest rendition that is no higher, by the shorter side; without it, the largest of all',
      examples: [720],
    }),
  ),
  ...TokenQuery.properties,
})

const PreviewQuery = Type.Object({
  start: Type.Optional(Type.Number({ minimum: 0, description: 'seconds; by default 0', examples: [12.5] })),
  end: Type.Optional(
    Type.Number({
      minimum: 0,
      description: `seconds, at most ${seconds.most} after \`start\`; by default ${seconds.usual} after it`,
      examples: [16],
    }),
  ),
  w: Type.Optional(
    Type.Integer({
      minimum: width.least,
      maximum: width.most,
      description: `width in pixels, of a video that is as wide; by default ${width.usual}`,
      examples: [width.usual],
    }),
  ),
  fps: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: framesPerSecond.most,
      description: `pictures a second; by default ${framesPerSecond.usual}`,
      examples: [framesPerSecond.usual],
    }),
  ),
  signature: SizeQuery.properties.signature,
  ...TokenQuery.properties,
})

const MADE_FIRST =
  'Put together from the segments that players get. What is missing of them is made first; where that takes longer than `MARQUEE_DOWNLOAD_PATIENCE` (25 seconds), the answer is a 503 whose `Retry-After` says when to ask again, and the making goes on.'

const PREVIEWS = { webp: 'Webp', avif: 'Avif' } as const

type Asked = Pick<DeliveryRequest, 'projectId' | 'fileId' | 'rest' | 'query'> & { token?: string }

/** What is made of a video's segments as it is asked for: a file to keep, and previews that move. */
export function derivedRoutes(deps: DeliveryDeps & { path: string }): (app: App) => void {
  const folder = `${deps.path}/:projectId/:fileId`
  const params = Type.Object(OneFile)

  async function deliver(request: FastifyRequest, reply: FastifyReply, { token, ...asked }: Asked) {
    const shown = { token, origin: originOf(request) }
    const about = { ...asked, host: request.hostname, shown, accept: undefined }
    return send(request, reply, await deliverFile({ ...about, signal: untilGone(reply) }, deps))
  }

  return (app) => {
    app.route({
      method: ['GET', 'HEAD'],
      url: `${folder}/download.mp4`,
      ...operation({
        tag,
        id: 'getDownload',
        headId: 'headDownload',
        summary: 'Deliver a video as one MP4 file, with ranges and an exact length',
        description: MADE_FIRST,
        credential: 'none',
        limit: 'delivery',
        errors: { ...DELIVERY_ERRORS, 403: 'Forbidden', 503: 'Service Unavailable' },
        request: { params, querystring: DownloadQuery },
        answers: deliveryAnswers('video/mp4'),
        sends: [...DELIVERY_HEADERS, 'Content-Disposition'],
      }),
      handler: async (request, reply) => {
        const { token, ...query } = request.query
        return deliver(request, reply, { ...request.params, rest: 'download.mp4', query, token })
      },
    })

    app.route({
      method: ['GET', 'HEAD'],
      url: `${folder}/audio.m4a`,
      ...operation({
        tag,
        id: 'getWholeSound',
        headId: 'headWholeSound',
        summary: 'Deliver the sound of a video as one M4A file, with ranges and an exact length',
        description: `That of the audio track that players begin with. ${MADE_FIRST}`,
        credential: 'none',
        limit: 'delivery',
        errors: { ...DELIVERY_ERRORS, 403: 'Forbidden', 503: 'Service Unavailable' },
        request: { params, querystring: TokenQuery },
        answers: deliveryAnswers('audio/mp4'),
        sends: [...DELIVERY_HEADERS, 'Content-Disposition'],
      }),
      handler: (request, reply) =>
        deliver(request, reply, { ...request.params, rest: 'audio.m4a', query: {}, ...request.query }),
    })

    for (const format of ['webp', 'avif'] as const)
      app.route({
        method: ['GET', 'HEAD'],
        url: `${folder}/preview.${format}`,
        ...operation({
          tag,
          id: `get${PREVIEWS[format]}Preview`,
          headId: `head${PREVIEWS[format]}Preview`,
          summary: `Deliver a moving preview of a video as ${format === 'webp' ? 'WebP' : 'AVIF'}`,
          description: 'Made when it is first asked for. It plays over and over, and has no sound.',
          credential: 'none',
          limit: 'delivery',
          errors: { ...DELIVERY_ERRORS, 403: 'Forbidden' },
          request: { params, querystring: PreviewQuery },
          answers: deliveryAnswers(`image/${format}`),
          sends: DELIVERY_HEADERS,
        }),
        handler: async (request, reply) => {
          const rest = `preview.${format}`
          // Any part in any size is as many as those of an image.
          const { token, ...query } = request.query
          await requireAllowed(request.params, { query, text: textOf(request) }, deps)
          return deliver(request, reply, { ...request.params, rest, query, token })
        },
      })
  }
}

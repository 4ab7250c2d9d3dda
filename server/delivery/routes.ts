import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Refusal } from '../base/errors.ts'
import { NOT_CHANGED } from '../http/cached-response.ts'
import { varyBy } from '../http/headers.ts'
import type { HeaderName } from '../http/openapi/response-headers.ts'
import { operation } from '../http/operation.ts'
import { checkPreconditions, rangeStillFits } from '../http/preconditions.ts'
import { bytesOf, Id } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { untilGone } from '../http/until-gone.ts'
import { readRange } from './byte-range.ts'
import { type DeliveryDeps, deliverFile } from './deliver-file.ts'
import type { Deliverable } from './deliverable.ts'
import { attachment } from './file-name.ts'
import { TokenQuery } from './playback-schemas.ts'
import { requireAllowed } from './size-permission.ts'
import { SizeQuery } from './size-query.ts'

/** Nothing that is served from here may run scripts, whatever is in it. */
const SANDBOX = "default-src 'none'; sandbox"

/** Answers that are files of these types, whole or in part. */
export function deliveryAnswers(...types: string[]) {
  return {
    200: bytesOf('the bytes', types),
    206: bytesOf('the range asked for', types),
    304: NOT_CHANGED,
  }
}

export const IMAGE_TYPES = ['image/avif', 'image/webp', 'image/jpeg', 'image/png', 'image/gif']
const PLAYLIST_TYPE = 'application/vnd.apple.mpegurl'
export const DELIVERY_HEADERS: HeaderName[] = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Cache-Control']
export const DELIVERY_ERRORS = {
  404: 'Not Found',
  412: 'Precondition Failed',
  416: 'Range Not Satisfiable',
}

/** What comes below a file's own address. It may have slashes, which are not encoded. */
const Rest = Type.String({
  maxLength: 200,
  description: 'as playlists have it; its slashes are slashes of the address',
  examples: ['master.m3u8'],
})

const FileQuery = Type.Object(
  { ...SizeQuery.properties, ...TokenQuery.properties },
  { additionalProperties: false },
)

export const OneFile = { projectId: Id('project'), fileId: Id('file') }

export function deliveryRoutes(deps: DeliveryDeps & { path: string }): (app: App) => void {
  return (app) => {
    app.route({
      // Not left to the framework, whose HEAD would not know the length of what it does not read.
      method: ['GET', 'HEAD'],
      url: `${deps.path}/:projectId/:fileId`,
      ...operation({
        tag: 'Delivery',
        id: 'getFile',
        headId: 'headFile',
        summary:
          'Deliver a file: a video’s multivariant playlist, or an image in any size and format by the query',
        credential: 'none',
        limit: 'delivery',
        errors: { ...DELIVERY_ERRORS, 403: 'Forbidden' },
        request: { params: Type.Object(OneFile), querystring: FileQuery },
        answers: deliveryAnswers(...IMAGE_TYPES, PLAYLIST_TYPE),
        sends: [...DELIVERY_HEADERS, 'Vary'],
      }),
      handler: async (request, reply) => {
        const { token, ...query } = request.query
        const { params } = request
        const about = { ...request.params, query, accept: request.headers.accept }
        const { hostname: host } = request
        const shown = { token, origin: originOf(request) }
        const text = textOf(request)
        varyBy(reply, 'Accept')
        await requireAllowed(params, { query, text }, deps)
        return send(
          request,
          reply,
          await deliverFile({ ...about, host, shown, signal: untilGone(reply) }, deps),
        )
      },
    })

    app.route({
      method: ['GET', 'HEAD'],
      url: `${deps.path}/:projectId/:fileId/*`,
      ...operation({
        tag: 'Delivery',
        id: 'getAsset',
        headId: 'headAsset',
        summary: 'Deliver what belongs to a video: playlists, segments, subtitles, audio tracks, storyboard',
        credential: 'none',
        limit: 'delivery',
        errors: { ...DELIVERY_ERRORS, 403: 'Forbidden' },
        request: { params: Type.Object({ ...OneFile, '*': Rest }), querystring: TokenQuery },
        answers: deliveryAnswers(PLAYLIST_TYPE, 'video/mp4', 'audio/*', 'text/vtt', 'image/jpeg'),
        sends: DELIVERY_HEADERS,
        pathNames: { '*': 'path' },
      }),
      handler: async (request, reply) => {
        const { projectId, fileId, '*': rest } = request.params
        const signal = untilGone(reply)
        const shown = { token: request.query.token, origin: originOf(request) }
        const { hostname: host } = request
        const wanted = { projectId, fileId, host, rest, query: {}, accept: undefined, shown, signal }
        return send(request, reply, await deliverFile(wanted, deps))
      },
    })
  }
}

/** What a size is signed by: all of the query but the token, which is another one for each viewer. */
export function textOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [, text = ''] = url.split('?')
  return text
    .split('&')
    .filter((part) => !part.startsWith('token='))
    .join('&')
}

/** Of the page that asks. Browsers name it, or else the page; of a page of this very host they may do neither. */
export function originOf({ headers, protocol, host }: FastifyRequest): string | undefined {
  if (headers.origin && headers.origin !== 'null') return headers.origin
  if (headers.referer && URL.canParse(headers.referer)) return new URL(headers.referer).origin
  return headers['sec-fetch-site'] === 'same-origin' ? `${protocol}://${host}` : undefined
}

/** Sends something that can be delivered: whole, in part, or not at all where the client has it. */
export async function send(
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
  file: Deliverable,
): Promise<FastifyReply> {
  reply.headers({
    'content-type': file.contentType,
    etag: file.etag,
    'last-modified': file.lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': file.caching,
    'content-security-policy': SANDBOX,
    ...(file.fileName && { 'content-disposition': attachment(file.fileName) }),
  })
  const verdict = checkPreconditions(headers, file)
  if (verdict === 304) return reply.code(304).removeHeader('content-type').send()
  if (verdict === 412) throw new Refusal(412)
  const range = rangeStillFits(headers, file) ? readRange(headers.range, file.size) : 'whole'
  if (range === 'unsatisfiable')
    throw new Refusal(416, { headers: { 'content-range': `bytes */${file.size}` } })
  if (range !== 'whole') {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
    reply.header('content-length', range.end - range.start + 1)
  } else reply.header('content-length', file.size)
  if (method === 'HEAD') return reply.send()
  return reply.send(await file.open(range === 'whole' ? undefined : range))
}

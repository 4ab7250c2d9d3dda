import { Type } from 'typebox'
import { Refusal } from '../base/errors.ts'
import { operation } from '../http/operation.ts'
import { Id } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import { readRange } from './byte-range.ts'
import { type DeliveryDeps, deliverFile } from './deliver-file.ts'
import { checkPreconditions, rangeStillFits } from './preconditions.ts'
import { SizeQuery } from './size-query.ts'

/**
 * For caches in front: an address may come to serve a smaller encoding of the same picture, or nothing,
 * so it is fresh for an hour, and asked about again after that at the cost of a 304.
 */
const CACHING = 'public, max-age=3600, stale-while-revalidate=86400'
/** Nothing that is served from here may run scripts, whatever is in it. */
const SANDBOX = "default-src 'none'; sandbox"

export function deliveryRoutes(deps: DeliveryDeps & { path: string }): (app: App) => void {
  return (app) => {
    app.route({
      // Not left to the framework, whose HEAD would not know the length of what it does not read.
      method: ['GET', 'HEAD'],
      url: `${deps.path}/:projectId/:fileId`,
      ...operation({
        tag: 'Delivery',
        summary: 'Deliver a file; images in any size and format by the query',
        credential: 'none',
        limit: 'delivery',
        errors: { 404: 'Not Found', 412: 'Precondition Failed', 416: 'Range Not Satisfiable' },
        request: {
          params: Type.Object({ projectId: Id('project'), fileId: Id('file') }),
          querystring: SizeQuery,
        },
        answers: {
          200: { description: 'the bytes', type: 'string', format: 'binary' },
          206: { description: 'the range asked for', type: 'string', format: 'binary' },
          304: { description: 'what the client has is what there is', type: 'null' },
        },
      }),
      handler: async (request, reply) => {
        const { headers, params, query } = request
        const file = await deliverFile({ ...params, query, accept: headers.accept }, deps)
        reply.headers({
          'content-type': file.contentType,
          etag: file.etag,
          'last-modified': file.lastModified.toUTCString(),
          'accept-ranges': 'bytes',
          'cache-control': CACHING,
          'content-security-policy': SANDBOX,
          vary: 'Accept',
        })
        const verdict = checkPreconditions(headers, file)
        if (verdict === 304) return reply.code(304).removeHeader('content-type').send()
        if (verdict === 412) throw new Refusal(412)
        const range = rangeStillFits(headers, file) ? readRange(headers.range, file.size) : 'whole'
        if (range === 'unsatisfiable')
          throw new Refusal(416, {
            headers: { 'content-range': `bytes */${file.size}`, 'cache-control': 'no-store' },
          })
        if (range !== 'whole') {
          reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
          reply.header('content-length', range.end - range.start + 1)
        } else reply.header('content-length', file.size)
        if (request.method === 'HEAD') return reply.send()
        return reply.send(await file.open(range === 'whole' ? undefined : range))
      },
    })
  }
}

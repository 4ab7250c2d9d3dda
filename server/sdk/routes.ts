import { Type } from 'typebox'
import { Refusal } from '../base/errors.ts'
import { CACHE_HEADERS, NOT_CHANGED } from '../http/cached-response.ts'
import { varyBy } from '../http/headers.ts'
import { operation } from '../http/operation.ts'
import { checkPreconditions } from '../http/preconditions.ts'
import { bytesOf } from '../http/schemas.ts'
import type { App } from '../http/types.ts'
import type { Versions } from './versions.ts'

const Rest = Type.String({
  maxLength: 200,
  description:
    'package, version and file, or without a version the current one; its slashes are slashes of the address',
  examples: ['client/index.js'],
})

/** The packages for app developers, so that a page needs no registry. */
export function sdkRoutes(versions: Versions): (app: App) => void {
  return (app) => {
    app.addHook('onReady', async () => versions.keep(app.log))
    app.route({
      method: ['GET', 'HEAD'],
      url: '/sdk/*',
      ...operation({
        tag: 'Delivery',
        id: 'getModule',
        headId: 'headModule',
        summary: 'Deliver a script of a package for pages, its types, or the licences of what is in it',
        credential: 'none',
        limit: 'delivery',
        errors: { 404: 'Not Found', 412: 'Precondition Failed' },
        request: { params: Type.Object({ '*': Rest }) },
        answers: {
          200: bytesOf('the file', ['text/javascript', 'application/typescript', 'text/plain']),
          304: NOT_CHANGED,
        },
        sends: [...CACHE_HEADERS, 'Vary'],
        pathNames: { '*': 'path' },
      }),
      handler: async (request, reply) => {
        const module = await versions.find(request.params['*'])
        const isPacked = takesGzip(request.headers['accept-encoding'])
        const { contentType, caching } = module
        const { body, etag } = isPacked ? module.gzip : module.plain
        varyBy(reply, 'Accept-Encoding')
        // A script is for the pages of everybody, whichever origins may call the API.
        reply.headers({ etag, 'cache-control': caching, 'access-control-allow-origin': '*' })
        const verdict = checkPreconditions(request.headers, { etag })
        if (verdict === 412) throw new Refusal(412)
        if (verdict === 304) return reply.code(304).send(null)
        if (isPacked) reply.header('content-encoding', 'gzip')
        reply.header('content-type', contentType).header('content-length', body.length)
        return reply.send((request.method === 'HEAD' ? undefined : body) as never)
      },
    })
  }
}

/** Whether a client says so, and not that it takes none (`gzip;q=0`). */
function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(accepted ?? ''))
}

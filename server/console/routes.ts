import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CACHING } from '../base/caching.ts'
import { notFound } from '../base/errors.ts'
import { varyBy } from '../http/headers.ts'
import { checkPreconditions } from '../http/preconditions.ts'
import type { App } from '../http/types.ts'
import type { ConsoleFile, ConsoleFiles } from './files.ts'
import { type ConsoleOrigins, consolePolicy } from './policy.ts'

const NOT_BUILT = 'the console is not built: npm run build'

/** The app for people: one page whatever its address, and the files that it loads. */
export function consoleRoutes(built: ConsoleFiles | undefined, origins: ConsoleOrigins): (app: App) => void {
  /** A new nonce each time: nobody can know it beforehand. */
  function sendPage(reply: FastifyReply) {
    if (!built) throw notFound(NOT_BUILT)
    const nonce = randomBytes(16).toString('base64url')
    return reply
      .headers({
        'content-security-policy': consolePolicy(origins, nonce),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': CACHING.none,
        'content-type': 'text/html; charset=utf-8',
      })
      .send(built.page.replaceAll('%NONCE%', nonce).replace('%MEDIA%', origins.cdn.shared) as never)
  }

  function sendFile(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile) {
    const { contentType, caching, plain, packed } = file
    const isPacked = packed !== undefined && /\bbr\b/.test(String(request.headers['accept-encoding']))
    const etag = `"${file.etag}${isPacked ? '-br' : ''}"`
    varyBy(reply, 'Accept-Encoding')
    reply.headers({ etag, 'cache-control': caching, 'content-type': contentType })
    if (checkPreconditions(request.headers, { etag }) === 304) return reply.code(304).send(null as never)
    if (isPacked) reply.header('content-encoding', 'br')
    return reply.send((isPacked ? packed : plain) as never)
  }

  return (app) => {
    // Pages for people are no operations of the API, and are not described with it.
    const hidden = { schema: { hide: true }, config: { credential: 'none', limit: 'delivery' } } as const

    app.get('/', hidden, (_request, reply) => reply.redirect('/console/', 302))
    app.get('/console', hidden, (_request, reply) => reply.redirect('/console/', 302))
    app.get<{ Params: { '*': string } }>('/console/*', hidden, (request, reply) => {
      const address = request.params['*']
      const file = built?.files.get(address)
      if (file) return sendFile(request, reply, file)
      // Of an older build: the page of the newer one has other names for them.
      if (address.startsWith('assets/')) throw notFound()
      return sendPage(reply)
    })
  }
}

import type http from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import { CACHING } from '../base/caching.ts'
import { CACHED_TYPE, type FindCached } from './cached-response.ts'
import type { Durations } from './durations.ts'
import { type HeaderOptions, headersOutsideApp } from './headers.ts'
import type { ByAddress, Limits } from './limits.ts'
import type { LogAnswered } from './logging.ts'
import { checkPreconditions } from './preconditions.ts'
import { requestId } from './request-id.ts'
import { routePattern } from './route-pattern.ts'
import type { RequestTraces } from './traces.ts'
import type { App } from './types.ts'

export interface FastPathOptions extends HeaderOptions {
  limits: Limits
  log: LogAnswered
  durations: Durations
  traces: RequestTraces
  trustProxy: string[]
}

interface FastRoute {
  route: string
  limit: ByAddress
  pattern: RegExp
  find: FindCached
}

/**
 * The fast path: plain reads of operations with a cached response are answered without the app. What it does around each
 * request takes longer than such a read itself. Whatever is not plain, refused or not there is handed to
 * the app, which has the words for it; so an operation with one is still one of the app like any other.
 */
export function answerFast(app: App, options: FastPathOptions): http.RequestListener {
  const { limits, log, durations, traces } = options
  const known: FastRoute[] = []
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    if (config?.cached && method === 'GET')
      known.push({
        route: url,
        limit: config.limit as ByAddress,
        pattern: routePattern(url, schema),
        find: config.cached,
      })
  })
  const headersFor = headersOutsideApp(options)
  const isTrusted = proxyAddr.compile(options.trustProxy)

  async function answer(
    { route, limit, find }: FastRoute,
    params: Record<string, string>,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const start = performance.now()
    const counting = limits.byAddress(limit, proxyAddr(request, isTrusted))
    const counted = counting instanceof Promise ? await counting : counting
    if (counted.refused) return handOver()
    const found = await find(params).catch(handOver)
    if (!found) return
    const verdict = checkPreconditions(request.headers, found)
    if (verdict === 412) return handOver()

    const id = requestId(request)
    traces.note(request, { route, id })
    const status = verdict === 304 ? 304 : 200
    response.writeHead(status, {
      ...headersFor(request.headers.origin),
      ...counted.headers,
      'x-request-id': id,
      etag: found.etag,
      'cache-control': CACHING.publicCopy,
      ...(status === 200 && { 'content-type': CACHED_TYPE, 'content-length': found.body.length }),
    })
    response.end(status === 200 ? found.body : '', () => {
      const ms = performance.now() - start
      log({ id, method: 'GET', url: request.url!, status, ms })
      durations.record({ method: 'GET', route, status }, ms / 1000)
    })

    function handOver(): void {
      limits.keep(request, counted)
      app.routing(request, response)
    }
  }

  return (request, response) => {
    if (isPlain(request))
      for (const route of known) {
        const params = route.pattern.exec(request.url!)?.groups
        // It fails where its limit cannot be counted: the app will find that too.
        if (params)
          return void answer(route, params, request, response).catch(() => app.routing(request, response))
      }
    app.routing(request, response)
  }
}

function isPlain({ method, headers }: http.IncomingMessage): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return method === 'GET' && !hasBody
}

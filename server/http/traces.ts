import { AsyncLocalStorage } from 'node:async_hooks'
import type http from 'node:http'
import { type Span, traced } from '../base/tracing.ts'
import type { App } from './types.ts'

export interface RequestTraces {
  /** Has every request that a handler answers be a span. */
  around(handler: http.RequestListener): http.RequestListener
  /** The operation that a request turned out to be for, and the id that its answer and the log have. */
  note(request: http.IncomingMessage, about: { route: string; id: string }): void
}

/** For a service whose traces nobody collects: its requests go where they always went. */
export const UNTRACED: RequestTraces = { around: (handler) => handler, note() {} }

interface Traced {
  span: Span
  /** Runs something as if the request had called it. */
  within: <R>(work: () => R) => R
}

/**
 * Requests as spans, which go on with the caller's trace. Of an address only its operation is told: the rest of it holds
 * tokens and names of tenants.
 */
export function traceRequests(app: App): RequestTraces {
  const known = new WeakMap<http.IncomingMessage, Traced>()

  const note: RequestTraces['note'] = (request, { route, id }) => {
    const span = known.get(request)?.span
    if (!span) return
    span.attributes['http.route'] = route
    span.attributes['marquee.request_id'] = id
    span.name = `${request.method} ${route}`
  }

  app.addHook('onRequest', (request, _, done) => {
    note(request.raw, { route: request.routeOptions.url ?? 'none', id: request.id })
    done()
  })
  // A body's bytes come by the connection, which knows of no request; from here on it is the request's again.
  app.addHook('preValidation', (request, _, done) => {
    const trace = known.get(request.raw)
    if (trace) trace.within(done)
    else done()
  })

  return {
    note,
    around: (handler) => (request, response) => {
      const { traceparent } = request.headers
      void traced(
        () => ({
          name: request.method!,
          kind: 'server',
          attributes: { 'http.request.method': request.method! },
          begins: { parent: typeof traceparent === 'string' ? traceparent : undefined },
        }),
        (span) => {
          if (span) known.set(request, { span, within: AsyncLocalStorage.snapshot() })
          const closed = new Promise<void>((resolve) => {
            response.once('close', () => {
              if (span) noteAnswer(span, response)
              resolve()
            })
          })
          handler(request, response)
          return closed
        },
      )
    },
  }
}

function noteAnswer(span: Span, response: http.ServerResponse): void {
  span.attributes['http.response.status_code'] = response.statusCode
  if (!response.writableFinished) span.attributes['marquee.broken_off'] = true
  span.failed = response.statusCode >= 500
}

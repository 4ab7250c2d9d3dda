import type http from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { NoteFailed } from '../base/failed-request.ts'
import { type Authenticator, authenticateRequests } from './authentication.ts'
import { limitBodyTime } from './body-timeout.ts'
import { measureDurations } from './durations.ts'
import { type EngineErrors, errorHandler } from './errors.ts'
import { noteFailedRequests } from './failed-requests.ts'
import { answerFast } from './fast-path.ts'
import { headersOutsideApp, useHeaders } from './headers.ts'
import { type Engine, healthRoutes } from './health.ts'
import { type LimitOptions, limitRequests } from './limits.ts'
import { createLogger, type LogUnheard, logRequests, logUnheard } from './logging.ts'
import { type CountedElsewhere, type MetricsReader, metricsRoute, openRegistry } from './metrics.ts'
import { answerUnknownAddresses } from './not-found.ts'
import { type DescribeOptions, describeOperations } from './openapi/describe-operations.ts'
import { useOptionalBodies } from './optional-body.ts'
import { otherForms } from './other-form.ts'
import { refuseOtherPages } from './own-pages.ts'
import { parseQuery } from './parse-query.ts'
import { refuseOtherPaths } from './path-in-body.ts'
import { requestId } from './request-id.ts'
import { namedSchemas } from './schemas.ts'
import { buildSerializer } from './serialization.ts'
import { traceRequests, UNTRACED } from './traces.ts'
import type { App } from './types.ts'
import { useStrictBodies } from './validation.ts'

export interface AppOptions extends LimitOptions, DescribeOptions {
  logLevel: string
  bodyLimitBytes: number
  bodyTimeoutSeconds: number
  trustProxy: string[]
  corsOrigins: string[]
  secure: boolean
  metricsToken: string | undefined
  counted: CountedElsewhere[]
  authenticator: Authenticator
  engines: Engine[]
  engineErrors: EngineErrors
  onFailed: NoteFailed
  /** Whether somebody collects traces. */
  isTraced: boolean
  isDraining: () => boolean
  /** Whether it answers anything but its health and its metrics. */
  isApi: boolean
  /** The slices, each adding its own routes. */
  rooms: ((app: App) => void)[]
}

export interface BuiltApp {
  app: App
  /** Answers requests: by the app, or on the fast path. */
  handler: http.RequestListener
  /** For what the listener refuses before the handler hears of it. */
  logUnheard: LogUnheard
  /** What /metrics tells. */
  metrics: MetricsReader
}

const NO_API = 'this process does not answer requests: its MARQUEE_ROLES has no api'

/** The app around all slices: who calls, how often, in what words it is refused. */
export async function buildApp(options: AppOptions): Promise<BuiltApp> {
  const { logger, lines, close: closeLogger } = createLogger(options.logLevel)
  const forms = otherForms()
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    // One line for each request is written by logRequests.
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves: a logger for each would cost more than the few that are written.
    childLoggerFactory: (parent) => parent,
    genReqId: requestId,
    requestIdHeader: false,
    bodyLimit: options.bodyLimitBytes,
    trustProxy: options.trustProxy.length > 0 ? options.trustProxy : false,
    // The listener answers while the service drains; closing is its business.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 8192, querystringParser: parseQuery },
    schemaController: { compilersFactory: { buildSerializer } },
    rewriteUrl: (request) => readableUrl(forms.addressFor(request)),
    // Before any hook: what those do for every answer is done here.
    frameworkErrors(error, request, reply) {
      reply.headers(headersOutsideApp(options)(request.headers.origin)).header('x-request-id', request.id)
      errorHandler(options.engineErrors)(error, request, reply as never)
    },
  }).withTypeProvider<TypeBoxTypeProvider>() as App

  const traces = options.isTraced ? traceRequests(app) : UNTRACED
  useJsonBodies(app)
  useStrictBodies(app)
  useOptionalBodies(app)
  refuseOtherPaths(app)
  answerUnknownAddresses(app, options.isApi ? undefined : NO_API)
  app.setErrorHandler(errorHandler(options.engineErrors))
  const log = logRequests(app, { logger, lines })
  noteFailedRequests(app, options.onFailed)
  limitBodyTime(app, options.bodyTimeoutSeconds)
  useHeaders(app, options)
  forms.hearOf(app)
  authenticateRequests(app, options.authenticator)
  const limits = limitRequests(app, options)
  refuseOtherPages(app, options.addresses.base)
  const durations = measureDurations(app)
  const handler = traces.around(answerFast(app, { ...options, limits, log, durations, traces }))

  for (const schema of namedSchemas()) app.addSchema(schema)
  if (options.isApi) await describeOperations(app, options)
  healthRoutes(app, options.engines, options.isDraining)
  const metrics = openRegistry(options.counted, durations)
  metricsRoute(app, metrics, options.metricsToken)
  if (options.isApi) for (const room of options.rooms) room(app)
  app.addHook('onClose', async () => {
    metrics.close()
    closeLogger()
  })
  await app.ready()
  return { app, handler, logUnheard: logUnheard(logger), metrics }
}

/** An address that cannot be decoded is read letter by letter: then it is its operation that refuses it. */
function readableUrl(url: string): string {
  if (!url.includes('%')) return url
  const [path, ...query] = url.split('?')
  try {
    decodeURIComponent(path!)
    return url
  } catch {
    return [path!.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** JSON is the only body the API reads; slices that take files add their own parsers. */
function useJsonBodies(app: App): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Many clients set the type on requests without a body; the schema says whether one was due.
    if (body === '') done(null, undefined)
    else parse(request, body as string, done)
  })
}

import type { TSchema } from 'typebox'
import type { FindCached } from './cached-response.ts'
import type { HeaderName } from './openapi/response-headers.ts'
import type { OtherForm } from './other-form.ts'

/** What a caller shows: `any` is an API key or a bearer token, whichever they have. */
export type Credential = 'any' | 'bearer' | 'none'

/** Which ceilings a request counts against. */
export type LimitClass = 'api' | 'events' | 'sign-in' | 'delivery' | 'public' | 'webhooks' | 'none'

export interface OperationConfig {
  /** What generated clients call it. A route that also answers HEAD is two operations. */
  id: string
  headId?: string
  /** Headers of answers that are no refusals, beside those that all operations of its kind send. */
  sends: HeaderName[]
  /** What the description calls parts of the path: see `pathNames` of a Description. */
  pathNames: Record<string, string>
  credential: Credential
  limit: LimitClass
  /** The operation's own words for a status, from its row in docs/interface.md. */
  errors: Record<number, string>
  /** The body is a file of any length, passed on as it comes. */
  streamsBody: boolean
  /**
   * For pages that cannot set headers, as `navigator.sendBeacon` cannot: a publishable key may be in the query, and
   * requests may come in a mode in which a browser would send cookies.
   */
  takesBeacons: boolean
  /**
   * Only for pages of the service itself: no other origin is told that it may call it. `or navigation`: others may lead a
   * browser here, as a whole page.
   */
  ownPagesOnly: boolean | 'or navigation'
  /** All of the body is optional, so that it can be left out as a whole. */
  optionalBody: boolean
  /** The fast path: answers plain requests without the app. Only for operations for everybody that are counted by address. */
  cached?: FindCached
  /** The same in another form, for clients that prefer its types. */
  otherForm?: OtherForm
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<OperationConfig> {}
}

export const DEFAULT_MESSAGES: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal server error',
  503: 'Service Unavailable',
}

export interface RequestParts {
  params?: TSchema
  querystring?: TSchema
  headers?: TSchema
  body?: TSchema
}

export interface OperationDescription<P extends RequestParts, A extends Record<number, TSchema>> {
  /** A verb and a noun, of its own among all operations. */
  id: string
  /** Of the HEAD of a route that answers GET and HEAD. */
  headId?: string
  tag: string
  summary: string
  description?: string
  credential?: Credential
  /** Where it is not what the credential says. */
  security?: Record<string, string[]>[]
  limit?: LimitClass
  streamsBody?: boolean
  takesBeacons?: boolean
  ownPagesOnly?: OperationConfig['ownPagesOnly']
  optionalBody?: boolean
  cached?: FindCached
  otherForm?: OtherForm
  /** Headers of answers that are no refusals. Those that follow from the rest are added to them. */
  sends?: HeaderName[]
  /**
   * Other names for parts of the path, in the description only. Two templates that differ in nothing but such names
   * are one address, which can be described once; and a rest of a path has no name that a client could use.
   */
  pathNames?: Record<string, string>
  /** Media types of the body; without them, JSON. */
  consumes?: string[]
  /** Statuses beyond those that follow from the rest, or other words than the default for one. */
  errors?: Record<number, string>
  request?: P
  answers: A
}

/** One operation of the interface: what it takes, what it answers, who may call it. */
export function operation<P extends RequestParts, A extends Record<number, TSchema>>(
  about: OperationDescription<P, A>,
) {
  const {
    credential = 'any',
    limit = 'api',
    streamsBody = false,
    takesBeacons = false,
    cached,
    otherForm,
  } = about
  const {
    optionalBody = false,
    ownPagesOnly = false,
    consumes,
    id,
    headId,
    sends = [],
    pathNames = {},
  } = about
  const request = about.request ?? ({} as P)
  const errors = { ...impliedErrors(request, credential, limit), ...about.errors }
  return {
    schema: {
      ...request,
      tags: [about.tag],
      summary: about.summary,
      description: about.description,
      ...(consumes && { consumes }),
      security:
        about.security ??
        (takesBeacons ? [...SECURITY[credential], { keyInQuery: [] }] : SECURITY[credential]),
      response: about.answers,
    },
    config: {
      id,
      headId,
      sends,
      pathNames,
      credential,
      limit,
      errors,
      streamsBody,
      takesBeacons,
      ownPagesOnly,
      optionalBody,
      cached,
      otherForm,
    } satisfies OperationConfig,
  }
}

const SECURITY: Record<Credential, Record<string, string[]>[]> = {
  any: [{ apiKey: [] }, { bearer: [] }],
  bearer: [{ bearer: [] }],
  none: [],
}

function impliedErrors(
  request: RequestParts,
  credential: Credential,
  limit: LimitClass,
): Record<number, string> {
  const statuses = [500, 503]
  if (request.headers || request.params || request.querystring || request.body) statuses.push(400)
  if (request.body) statuses.push(413, 415)
  if (credential !== 'none') statuses.push(401, 403)
  if (limit !== 'none') statuses.push(429)
  return Object.fromEntries(statuses.map((status) => [status, DEFAULT_MESSAGES[status]!]))
}

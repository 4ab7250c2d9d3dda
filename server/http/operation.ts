import type { TSchema } from 'typebox'
import type { FindCopy } from './copies.ts'

/** What a caller shows: `any` is an API key or a bearer token, whichever they have. */
export type Credential = 'any' | 'bearer' | 'none'

/** Which ceilings a request counts against. */
export type LimitClass = 'api' | 'events' | 'sign-in' | 'delivery' | 'public' | 'webhooks' | 'none'

export interface OperationConfig {
  credential: Credential
  limit: LimitClass
  /** The operation's own words for a status, from its row in the interface. */
  errors: Record<number, string>
  /** The body is a file of any length, passed on as it comes. */
  streamsBody: boolean
  /**
   * For pages that cannot set headers, as `navigator.sendBeacon` cannot: a publishable key may be in the query, and
   * requests may come in a mode in which a browser would send cookies.
   */
  takesBeacons: boolean
  /** All of the body is optional, so that it can be left out as a whole. */
  optionalBody: boolean
  /** Answers plain requests ahead of the app. Only for operations for everybody that are counted by address. */
  copy?: FindCopy
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

export interface Parts {
  params?: TSchema
  querystring?: TSchema
  headers?: TSchema
  body?: TSchema
}

export interface Description<P extends Parts, A extends Record<number, TSchema>> {
  tag: string
  summary: string
  description?: string
  credential?: Credential
  limit?: LimitClass
  streamsBody?: boolean
  takesBeacons?: boolean
  optionalBody?: boolean
  copy?: FindCopy
  /** Media types of the body; without them, JSON. */
  consumes?: string[]
  /** Statuses beyond those that follow from the rest, or other words than the default for one. */
  errors?: Record<number, string>
  request?: P
  answers: A
}

/** One operation of the interface: what it takes, what it answers, who may call it. */
export function operation<P extends Parts, A extends Record<number, TSchema>>(about: Description<P, A>) {
  const { credential = 'any', limit = 'api', streamsBody = false, takesBeacons = false, copy } = about
  const { optionalBody = false, consumes } = about
  const request = about.request ?? ({} as P)
  const errors = { ...impliedErrors(request, credential, limit), ...about.errors }
  return {
    schema: {
      ...request,
      tags: [about.tag],
      summary: about.summary,
      description: about.description,
      ...(consumes && { consumes }),
      security: takesBeacons ? [...SECURITY[credential], { keyInQuery: [] }] : SECURITY[credential],
      response: about.answers,
    },
    config: {
      credential,
      limit,
      errors,
      streamsBody,
      takesBeacons,
      optionalBody,
      copy,
    } satisfies OperationConfig,
  }
}

const SECURITY: Record<Credential, Record<string, string[]>[]> = {
  any: [{ apiKey: [] }, { bearer: [] }],
  bearer: [{ bearer: [] }],
  none: [],
}

function impliedErrors(request: Parts, credential: Credential, limit: LimitClass): Record<number, string> {
  const statuses = [500, 503]
  if (request.params || request.querystring || request.body) statuses.push(400)
  if (request.body) statuses.push(413, 415)
  if (credential !== 'none') statuses.push(401, 403)
  if (limit !== 'none') statuses.push(429)
  return Object.fromEntries(statuses.map((status) => [status, DEFAULT_MESSAGES[status]!]))
}

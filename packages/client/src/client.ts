import type { Operations } from './api-types.ts'
import { MarqueeError, refusalOf } from './errors.ts'
import { type Retries, retrying } from './retry.ts'
import { holdTokens, type Tokens } from './tokens.ts'

export interface ClientOptions {
  /** Where the service is, such as `https://media.example.com`; may be left out on a page of that origin. */
  url?: string
  /** A key of a project: a secret one on servers, a publishable one in apps. */
  apiKey?: string
  /** In a key's place: what a sign-in answered. They are refreshed when they expire, once for all who wait. */
  tokens?: Tokens
  /** Told of each refreshed pair, to keep it: the one before is worth nothing from then on. */
  onTokens?: (tokens: Tokens) => unknown
  /** The project that is meant, for a token that may see several. */
  projectId?: string
  /** Milliseconds until a try is given up; 30,000 unless told, 0 for never. */
  timeout?: number
  /** How often what is safe to repeat is tried again; 3 unless told. */
  retries?: number
  /** The longest wait in milliseconds that the service may ask for before a retry; 60,000 unless told. */
  maxWait?: number
  /** In the place of the global one. */
  fetch?: typeof fetch
}

/** What every call may be given. */
export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  timeout?: number
  /** By the error, where some failures are worth more tries than others. */
  retries?: Retries
  /** Told of a failure after which it is tried again. */
  onRetry?: (error: MarqueeError) => void
  /** Sent along, so that the service does it once however often it comes; that makes it safe to repeat. */
  idempotencyKey?: string
  /** Says that an operation may be done twice though its method does not say so. */
  isRepeatable?: boolean
}

export type Method = keyof Operations
export type Path<M extends Method> = keyof Operations[M] & string
export type Answer<M extends Method, P extends Path<M>> = Operations[M][P] extends { answer: infer T }
  ? T
  : never
export type Given<M extends Method, P extends Path<M>> = Omit<Operations[M][P], 'answer'>
/** May be left out where nothing has to be given. */
export type CallArguments<M extends Method, P extends Path<M>> =
  Record<never, never> extends Given<M, P>
    ? [options?: Given<M, P> & CallOptions]
    : [options: Given<M, P> & CallOptions]

export type Call<M extends Method> = <P extends Path<M>>(
  path: P,
  ...options: CallArguments<M, P>
) => Promise<Answer<M, P>>

/** A call whose parts are not known beforehand. */
export interface Request extends CallOptions {
  path?: object | undefined
  query?: object | undefined
  body?: unknown
}

export type Client = { [M in Method]: Call<M> } & {
  readonly options: Readonly<ClientOptions>
  /** Any call, with the answer as `read` takes it from the response. */
  send<T>(
    method: string,
    path: string,
    request: Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T>
}

const METHODS: Method[] = ['get', 'post', 'put', 'patch', 'delete']

export function createClient(options: ClientOptions): Client {
  const { url = '', apiKey, projectId, timeout = 30_000, retries = 3, maxWait = 60_000 } = options
  const tokens =
    options.tokens &&
    holdTokens(
      options.tokens,
      (refresh_token) => client.post('/auth/v1/token', { body: { refresh_token } }),
      options.onTokens ?? (() => {}),
    )

  function send<T>(
    method: string,
    path: string,
    request: Request,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const address = addressOf(url + path, request)
    const { signal, idempotencyKey, body } = request
    // A sign-in or an exchange of tokens needs none, and is what gets new ones.
    const holder = path.endsWith('/token') || path.endsWith('/login') ? undefined : tokens
    const isJson = body !== undefined && !(body instanceof FormData)

    async function once(): Promise<T> {
      const token = holder?.current()
      const response = await ask(token)
      if (response.ok) return read(response)
      if (response.status === 401 && token && (await holder!.renew(token))) {
        const again = await ask(holder!.current())
        if (again.ok) return read(again)
        throw await refusalOf(again)
      }
      throw await refusalOf(response)
    }

    function ask(token: string | undefined): Promise<Response> {
      return (options.fetch ?? fetch)(address, {
        method: method.toUpperCase(),
        headers: {
          ...(isJson && { 'content-type': 'application/json' }),
          ...(apiKey && { 'x-api-key': apiKey }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(projectId && { 'x-project-id': projectId }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
          ...request.headers,
        },
        body: isJson ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
        signal: deadline.signal,
      })
    }

    let deadline: Deadline
    return retrying(
      async () => {
        deadline = startDeadline(request.timeout ?? timeout, signal)
        try {
          return await once()
        } catch (error) {
          throw error instanceof MarqueeError ? error : unreachable(error, deadline.isOver())
        } finally {
          deadline.stop()
        }
      },
      {
        retries: request.retries ?? retries,
        maxWait,
        signal,
        onRetry: request.onRetry,
        isRepeatable: request.isRepeatable ?? (!!idempotencyKey || !/^(post|patch)$/.test(method)),
      },
    )
  }

  const calls = METHODS.map((method) => [
    method,
    (path: string, request: Request = {}) => send(method, path, request, contentOf),
  ])
  const client: Client = { ...Object.fromEntries(calls), options, send }
  return client
}

interface Deadline {
  signal: AbortSignal
  isOver(): boolean
  stop(): void
}

/** Ends with the caller's own signal, or when the time is up. What is read after `stop` has all the time it wants. */
function startDeadline(ms: number, signal: AbortSignal | undefined): Deadline {
  const late = new AbortController()
  const timer = ms > 0 ? setTimeout(() => late.abort(), ms) : undefined
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    isOver: () => late.signal.aborted,
    stop: () => clearTimeout(timer),
  }
}

/** No answer came, or only a part of it. */
export function unreachable(cause: unknown, isLate = false): MarqueeError {
  const error = isLate ? 'Timeout' : 'Network error'
  return new MarqueeError({ status: 0, error, details: isLate ? undefined : reasonOf(cause), cause })
}

/** Where fetch says no more than that it failed, its cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as Error | undefined)?.message || message
}

function addressOf(template: string, { path = {}, query = {} }: Request): string {
  const address = template.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(path[name as never]))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length > 0 ? `${address}?${new URLSearchParams(given as [string, string][])}` : address
}

async function contentOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) return response.json()
  if (type.startsWith('text/')) return response.text()
  const content = await response.blob()
  return content.size > 0 ? content : undefined
}

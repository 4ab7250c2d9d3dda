import type { Answers, Schemas } from './api-types.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by asserting it
type Loose = any

export interface Answer<T = Loose> {
  status: number
  headers: Headers
  body: T
}

type Headings = Record<string, string>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The node of the tree of answers below another, for one part of an address. */
type Below<Node, Part> = Part extends keyof Node ? Node[Part] : '{}' extends keyof Node ? Node['{}'] : never

type NodeOf<Node, Path> = Path extends `/${infer Part}/${infer Rest}`
  ? NodeOf<Below<Node, Part>, `/${Rest}`>
  : Path extends `/${infer Part}?${string}`
    ? Below<Node, Part>
    : Path extends `/${infer Part}`
      ? Below<Node, Part>
      : never

/**
 * What the description says that an address answers, or what it refuses with: a test knows which. Anything at all
 * where the address is not known as a text, or is none of the service's.
 */
type BodyOf<M extends Method, Path> = [NodeOf<Answers, Path>] extends [never]
  ? Loose
  : `${M}()` extends keyof NodeOf<Answers, Path>
    ? NodeOf<Answers, Path>[`${M}()`] & Schemas['Error']
    : Loose

/** By its address, or as the test says. */
interface Read<M extends Method> {
  <Path extends string>(path: Path, headers?: Headings): Promise<Answer<BodyOf<M, Path>>>
  <T>(path: string, headers?: Headings): Promise<Answer<T>>
}

interface Write<M extends Method> {
  <Path extends string>(path: Path, body?: unknown, headers?: Headings): Promise<Answer<BodyOf<M, Path>>>
  <T>(path: string, body?: unknown, headers?: Headings): Promise<Answer<T>>
}

export interface Api {
  get: Read<'get'>
  post: Write<'post'>
  put: Write<'put'>
  patch: Write<'patch'>
  delete: Read<'delete'>
  /** The same address with other credentials. */
  as(credential: Headings): Api
}

/** Talks JSON to a service, with these headers on every request. */
export function apiOf(url: string, credential: Headings): Api {
  async function call(method: string, path: string, body: unknown, headers: Headings = {}): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...credential,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }
  const read = (method: string) => (path: string, headers?: Headings) =>
    call(method, path, undefined, headers)
  const write = (method: string) => (path: string, body?: unknown, headers?: Headings) =>
    call(method, path, body, headers)
  return {
    get: read('GET'),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    delete: read('DELETE'),
    as: (other) => apiOf(url, other),
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const key = (secret: string) => ({ 'x-api-key': secret })

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by asserting it
type Loose = any

export interface Answer<T = Loose> {
  status: number
  headers: Headers
  body: T
}

type Headings = Record<string, string>

export interface Api {
  get<T = Loose>(path: string, headers?: Headings): Promise<Answer<T>>
  post<T = Loose>(path: string, body?: unknown, headers?: Headings): Promise<Answer<T>>
  put<T = Loose>(path: string, body?: unknown, headers?: Headings): Promise<Answer<T>>
  patch<T = Loose>(path: string, body?: unknown, headers?: Headings): Promise<Answer<T>>
  delete<T = Loose>(path: string, headers?: Headings): Promise<Answer<T>>
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
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
    as: (other) => apiOf(url, other),
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const key = (secret: string) => ({ 'x-api-key': secret })

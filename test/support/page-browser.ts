import { once } from 'node:events'
import http from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import type { InProcess } from './in-process.ts'

export const SESSION = '/auth/v1/browser/session'

/** A browser on a page: keeps its cookies, says which page it is on, and follows no redirect by itself. */
export function browserAt({ url }: Pick<InProcess, 'url'>, page = url, site = 'same-origin') {
  const cookies = new Map<string, string>()

  async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await request(new URL(path, url), {
      method,
      headers: {
        origin: new URL(page).origin,
        'sec-fetch-site': site,
        'user-agent': 'A browser',
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    })
    for (const set of response.headers.getSetCookie()) {
      const [name, value] = set.split(';', 1)[0]!.split('=') as [string, string]
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    return {
      status: response.status,
      headers: response.headers,
      set: response.headers.get('set-cookie'),
      location: response.headers.get('location'),
      body: response.text ? JSON.parse(response.text) : null,
    }
  }

  return {
    send,
    signIn: (credentials: object) => send('POST', SESSION, credentials),
    renew: () => send('POST', `${SESSION}/renew`),
    signOut: () => send('DELETE', SESSION),
    cookie: (name = 'marquee_session') => cookies.get(name),
    take(value: string, name = 'marquee_session') {
      cookies.set(name, value)
    },
  }
}

interface Sent {
  method: string
  headers: Record<string, string>
  body: string | undefined
}

/** With these headers as they are: `fetch` writes some of those that browsers send itself. */
async function request(url: URL, { method, headers, body }: Sent) {
  const [response] = (await once(http.request(url, { method, headers }).end(body), 'response')) as [
    http.IncomingMessage,
  ]
  const came = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) came.append(name, value)
  return { status: response.statusCode!, headers: came, text: await textOf(response) }
}

/** What follows the `=` in the fragment of a link to a page. */
export function tokenOf(link: string): string {
  return /#\w+=([\w.-]+)$/.exec(link)![1]!
}

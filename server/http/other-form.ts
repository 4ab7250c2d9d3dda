import type http from 'node:http'
import { varyBy } from './headers.ts'
import { routePattern } from './route-pattern.ts'
import type { App } from './types.ts'

/** What an operation answers, in another form at an address of its own: its address with an end. */
export interface OtherForm {
  types: string[]
  end: string
}

const WITHOUT_QUERY = /^[^?]*/
/** What browsers name before anything that they only know how to show. */
const PAGES = ['text/html', 'application/xhtml+xml']

/** Leads those who would rather have the other form of an operation's answer to the address that it has. */
export function otherForms() {
  const known: { pattern: RegExp; form: OtherForm }[] = []
  const led = new WeakSet<http.IncomingMessage>()
  return {
    hearOf(app: App): void {
      app.addHook('onRoute', ({ url, config, schema }) => {
        if (config?.otherForm) known.push({ pattern: routePattern(url, schema), form: config.otherForm })
      })
      app.addHook('onRequest', async (request, reply) => {
        if (request.routeOptions.config.otherForm || led.has(request.raw)) varyBy(reply, 'Accept')
      })
    },
    /** The address by which a request is answered. */
    addressFor(request: http.IncomingMessage): string {
      const { method, headers } = request
      const url = request.url!
      if (method !== 'GET' && method !== 'HEAD') return url
      for (const { pattern, form } of known) {
        if (!prefers(headers.accept, form.types)) continue
        const [path] = WITHOUT_QUERY.exec(url)!
        if (!pattern.test(path)) continue
        led.add(request)
        return `${path}${form.end}${url.slice(path.length)}`
      }
      return url
    },
  }
}

/** Whether somebody names one of these types, and wants it more than JSON, and than a page. */
function prefers(accept: string | undefined, types: string[]): boolean {
  const text = accept?.toLowerCase()
  if (!text || !types.some((type) => text.includes(type))) return false
  const wishes = new Map(text.split(',').map(wishOf))
  const most = (names: string[]) => Math.max(0, ...names.map((name) => wishes.get(name) ?? 0))
  const json = ['application/json', 'application/*', '*/*'].find((name) => wishes.has(name))
  return most(types) > Math.max(most(PAGES), json ? wishes.get(json)! : 0)
}

/** A media range and how much it is wanted, from 0 to 1. */
function wishOf(range: string): [type: string, quality: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
  return [type, quality === undefined ? 1 : Number(quality) || 0]
}

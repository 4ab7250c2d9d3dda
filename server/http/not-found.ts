import { notFound, Refusal } from '../base/errors.ts'
import { sendRefusal } from './errors.ts'
import type { App } from './types.ts'

/** 404 for an address nobody serves; 405 with `Allow` for one that is served by other methods. */
export function answerUnknownAddresses(app: App): void {
  const routes: { methods: string[]; pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(
      `^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`,
    )
    routes.push({ methods: [method].flat(), pattern })
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const allowed = [
      ...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
    ]
    const refusal =
      allowed.length === 0 ? notFound() : new Refusal(405, { headers: { allow: allowed.sort().join(', ') } })
    sendRefusal(refusal, request, reply)
  })
}

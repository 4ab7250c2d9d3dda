import { Refusal } from '../base/errors.ts'
import { sendRefusal } from './errors.ts'
import type { App } from './types.ts'

/** A client has this long to send a body, unless its operation takes a stream and watches over it itself. */
export function limitBodyTime(app: App, seconds: number): void {
  app.addHook('preParsing', async (request, reply) => {
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (!hasBody || request.routeOptions.config.streamsBody) return
    const timer = setTimeout(() => {
      if (request.raw.complete || reply.sent) return
      sendRefusal(new Refusal(408, { headers: { connection: 'close' } }), request, reply)
      reply.raw.once('finish', () => request.raw.destroy())
    }, seconds * 1000)
    request.raw.once('end', () => clearTimeout(timer))
    request.raw.once('close', () => clearTimeout(timer))
  })
}

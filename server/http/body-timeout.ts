import { Refusal } from '../base/errors.ts'
import { sendRefusal } from './errors.ts'
import type { App } from './types.ts'

/**
 * A client has this long to send a body, also one that nobody reads because the request was refused
 * before. Operations that take a stream watch over it themselves, until they have answered.
 */
export function limitBodyTime(app: App, seconds: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw, headers, routeOptions } = request
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
    if (!hasBody || routeOptions.config.streamsBody) return done()
    const timer = setTimeout(() => {
      if (raw.complete) return
      if (reply.sent) return void raw.destroy()
      sendRefusal(new Refusal(408, { headers: { connection: 'close' } }), request, reply)
      reply.raw.once('finish', () => raw.destroy())
    }, seconds * 1000)
    timer.unref()
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
    done()
  })
  app.addHook('onResponse', ({ raw, routeOptions }, _reply, done) => {
    if (!raw.complete && routeOptions.config.streamsBody)
      setTimeout(() => raw.complete || raw.destroy(), seconds * 1000).unref()
    done()
  })
}

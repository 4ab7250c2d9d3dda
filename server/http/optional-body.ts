import type { App } from './types.ts'

/** Where all of a body is optional, the body is too. */
export function useOptionalBodies(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.optionalBody) request.body ??= {}
    done()
  })
}

import { badRequest, type Refusal } from '../base/errors.ts'
import type { App } from './types.ts'

/**
 * Generated clients repeat what is in the path in the body, `video_id` or `videoId` for `:videoId`, and as
 * `user.org_id` the organization of a membership. It may be there; what it says must be the same.
 */
export function refuseOtherPaths(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { body } = request
    done(isPlain(body) ? disagreement(request.params as Record<string, string>, body) : undefined)
  })
}

/** What a body, or the fields of a form, say of the path that is not true. */
export function disagreement(
  params: Record<string, string>,
  body: Record<string, unknown>,
): Refusal | undefined {
  const user = isPlain(body.user) ? body.user : {}
  for (const [param, value] of Object.entries(params))
    for (const name of [snakeCase(param), camelCase(param)]) {
      if (differs(body, name, value)) return badRequest(`body.${name}: differs from the path`)
      if (name === 'org_id' && differs(user, name, value))
        return badRequest('body.user.org_id: differs from the path')
    }
  return undefined
}

function differs(object: Record<string, unknown>, name: string, value: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== null && String(object[name]) !== value
}

/** JSON, not bytes or a stream. */
function isPlain(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype
}

const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

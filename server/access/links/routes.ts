import { Type } from 'typebox'
import { originOf } from '../../http/authentication.ts'
import { operation } from '../../http/operation.ts'
import type { App } from '../../http/types.ts'
import { completeReset, type ResetDeps, requestReset } from './password-resets.ts'
import { Reset, ResetRequest } from './schemas.ts'

const COMMON = {
  tag: 'Tokens',
  credential: 'none',
  limit: 'sign-in',
  answers: { 204: Type.Null() },
} as const

export function resetRoutes(app: App, deps: ResetDeps): void {
  app.post(
    '/auth/v1/password-reset',
    operation({
      ...COMMON,
      id: 'requestPasswordReset',
      summary: 'Have a link for a new password mailed',
      description:
        'The answer is the same whether or not the address has an account, and whether or not mail is set up. Without mail, an operator makes a link: `marquee users reset-link`.',
      request: { body: ResetRequest },
    }),
    async (request, reply) => {
      await requestReset(request.body.email, deps)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/v1/password-reset/complete',
    operation({
      ...COMMON,
      id: 'completePasswordReset',
      summary: 'Set a new password by a link that works once',
      description:
        'Every sign-in of the account ends. A link that is unknown, used or expired is the same 401.',
      errors: { 401: 'Unauthorized' },
      request: { body: Reset },
    }),
    async (request, reply) => {
      await completeReset({ ...request.body, from: originOf(request) }, deps.sql)
      return reply.code(204).send(null)
    },
  )
}

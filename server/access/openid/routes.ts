import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { type Cookie, readCookie, setCookie } from '../../http/cookies.ts'
import { operation } from '../../http/operation.ts'
import type { App } from '../../http/types.ts'
import { BROWSER_PATH, setSession, visitorOf } from '../tokens/browser-routes.ts'
import { beginOpenId, FLOW_SECONDS, finishOpenId, type OpenIdDeps, SignInFailed } from './browser-sign-in.ts'

const PATH = `${BROWSER_PATH}/openid`
/** Comes along when the issuer leads back here, which a strict cookie would not. It signs nobody in by itself. */
const FLOW: Cookie = { name: 'marquee_openid', path: PATH, sameSite: 'Lax' }

const COMMON = {
  tag: 'Tokens',
  credential: 'none' as const,
  limit: 'sign-in' as const,
  sends: ['Location' as const],
  errors: { 403: 'Forbidden' },
  answers: { 302: Type.Null({ description: 'leads on' }) },
}
const OneIssuer = Type.Object({
  issuer_id: Type.String({
    maxLength: 100,
    description: 'of the issuers in the options',
    examples: ['default'],
  }),
})
const Answered = Type.Object({
  state: Type.Optional(Type.String({ maxLength: 1000 })),
  code: Type.Optional(Type.String({ maxLength: 8000 })),
  iss: Type.Optional(Type.String({ maxLength: 1000 })),
})

/** For people in a browser: each answer leads to an address, and what went wrong is told by the page for signing in. */
export function openIdRoutes(app: App, deps: OpenIdDeps): void {
  const { baseUrl } = deps

  app.get(
    `${PATH}/:issuer_id`,
    operation({
      ...COMMON,
      ownPagesOnly: true,
      id: 'beginIssuerSignIn',
      summary: 'Lead a browser to an OpenID issuer, to sign in there',
      description:
        'The authorization code flow with PKCE. Where it cannot begin, the browser is led to `/console/sign-in#error=openid_…`.',
      request: { params: OneIssuer },
    }),
    async (request, reply) => {
      try {
        const { location, browser } = await beginOpenId(request.params.issuer_id, deps)
        setCookie(reply, FLOW, { value: browser, maxAge: FLOW_SECONDS, baseUrl })
        return reply.redirect(location)
      } catch (error) {
        return leadBack(reply, error)
      }
    },
  )

  app.get(
    `${PATH}/:issuer_id/callback`,
    operation({
      ...COMMON,
      ownPagesOnly: 'or navigation',
      id: 'finishIssuerSignIn',
      summary: 'Where an OpenID issuer leads a browser back to',
      description:
        'Signs the browser in that began it, once, and leads to `/console`; else to `/console/sign-in#error=openid_expired`, `openid_refused`, `openid_unknown` (no account here) or `openid_unavailable`.',
      request: { params: OneIssuer, querystring: Answered },
    }),
    async (request, reply) => {
      const browser = readCookie(request, FLOW)
      setCookie(reply, FLOW, { value: '', maxAge: 0, baseUrl })
      try {
        const comeBack = { issuerId: request.params.issuer_id, ...request.query, browser }
        setSession(reply, await finishOpenId(comeBack, visitorOf(request), deps), deps)
        return reply.redirect(`${baseUrl}/console`)
      } catch (error) {
        return leadBack(reply, error)
      }
    },
  )

  function leadBack(reply: FastifyReply, error: unknown) {
    if (!(error instanceof SignInFailed)) throw error
    return reply.redirect(`${baseUrl}/console/sign-in#error=openid_${error.failure}`)
  }
}

import { originOf } from '../../http/authentication.ts'
import { operation } from '../../http/operation.ts'
import { ref } from '../../http/schemas.ts'
import type { App } from '../../http/types.ts'
import { acceptInvitation, showInvitation } from '../members/invitations.ts'
import { Acceptance, InvitationToken, ShownInvitation } from '../members/schemas.ts'
import type { OpenIdProvider } from '../openid/provider.ts'
import { BROWSER_PATH, type BrowserDeps, OWN_PAGES, sendSession, visitorOf } from './browser-routes.ts'
import { beginBrowserSession, openSessionByLink } from './browser-sessions.ts'
import { AccessToken, LinkSignIn, SignInOptions } from './schemas.ts'
import { anybodySignedIn } from './store.ts'

export interface PasswordlessDeps extends BrowserDeps {
  hasMail: boolean
  /** OpenID issuers that browsers can sign in at. */
  providers: OpenIdProvider[]
}

/** Ways to sign a browser in other than by a password, and which there are. */
export function passwordlessRoutes(app: App, deps: PasswordlessDeps): void {
  app.get(
    `${BROWSER_PATH}/options`,
    operation({
      ...OWN_PAGES,
      limit: 'public',
      errors: { 403: 'Forbidden' },
      id: 'getSignInOptions',
      summary: 'How people can sign in here',
      answers: { 200: ref(SignInOptions) },
    }),
    async () => ({
      mail: deps.hasMail,
      openid: deps.providers.map(({ id, name }) => ({ id, name })),
      ever_signed_in: await anybodySignedIn(deps.sql),
    }),
  )

  app.post(
    `${BROWSER_PATH}/session/link`,
    operation({
      ...OWN_PAGES,
      id: 'openSessionByLink',
      summary: 'Sign a browser in by a link that works once',
      description:
        'The link is printed by the service as long as its owner has not signed in, and by `marquee users sign-in-link`. One that is unknown, used or expired is the same 401.',
      request: { body: LinkSignIn },
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) =>
      sendSession(reply, await openSessionByLink(request.body.link, visitorOf(request), deps), deps),
  )

  app.post(
    `${BROWSER_PATH}/invitation`,
    operation({
      ...OWN_PAGES,
      id: 'showInvitation',
      summary: 'What somebody is invited to, by the invitation’s token',
      request: { body: InvitationToken },
      answers: { 200: ref(ShownInvitation) },
    }),
    (request) => showInvitation(request.body.token, deps.sql),
  )

  app.post(
    `${BROWSER_PATH}/session/invitation`,
    operation({
      ...OWN_PAGES,
      id: 'openSessionByInvitation',
      summary: 'Accept an invitation and sign a browser in',
      description: 'As `acceptInvitation`, for pages of the service itself.',
      request: { body: Acceptance },
      answers: { 200: ref(AccessToken) },
    }),
    async (request, reply) => {
      const userId = await acceptInvitation({ ...request.body, from: originOf(request) }, deps)
      return sendSession(reply, await beginBrowserSession(userId, visitorOf(request), deps), deps)
    },
  )
}

import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from '../../base/errors.ts'
import { matchUser } from '../authentication/match-user.ts'
import { type BrowserSession, beginBrowserSession, type Visitor } from '../tokens/browser-sessions.ts'
import type { TokenDeps } from '../tokens/sessions.ts'
import type { OpenIdProvider } from './provider.ts'
import * as store from './store.ts'

/** Why nobody was signed in, as the page for signing in is told. */
export type SignInFailure = 'expired' | 'refused' | 'unknown' | 'unavailable'

export class SignInFailed extends Error {
  readonly failure: SignInFailure

  constructor(failure: SignInFailure) {
    super(failure)
    this.failure = failure
  }
}

export interface OpenIdDeps extends TokenDeps {
  /** Those that browsers can sign in at. */
  providers: OpenIdProvider[]
  /** Where the public finds the service. */
  baseUrl: string
}

/** People type passwords and look for second factors in that time. */
export const FLOW_SECONDS = 600

/** Begins a sign-in at an issuer: where the browser goes, and what its cookie has to hold when it comes back. */
export async function beginOpenId(
  issuerId: string,
  deps: OpenIdDeps,
): Promise<{ location: string; browser: string }> {
  const provider = providerOf(issuerId, deps)
  const [state, nonce, codeVerifier, browser] = [secret(), secret(), secret(), secret()]
  const codeChallenge = hashOf(codeVerifier).toString('base64url')
  const redirectUri = redirectUriOf(provider, deps)
  const location = await provider
    .authorizationUrl({ state, nonce, codeChallenge, redirectUri })
    .catch(failure)
  await store.deleteExpiredFlows(deps.sql)
  await store.insertFlow(deps.sql, {
    stateHash: hashOf(state),
    browserHash: hashOf(browser),
    issuer: provider.issuer,
    nonce,
    code_verifier: codeVerifier,
    lifetimeSeconds: FLOW_SECONDS,
  })
  return { location, browser }
}

export interface ComeBack {
  issuerId: string
  state?: string
  code?: string
  /** RFC 9207: who says that it answers. */
  iss?: string
  /** What the browser's cookie holds. */
  browser: string | undefined
}

/**
 * Ends a sign-in that this browser began, once: who sends somebody else here, with a code of their own, has no cookie there that
 * goes with it.
 */
export async function finishOpenId(
  { issuerId, state, code, iss, browser }: ComeBack,
  visitor: Visitor,
  deps: OpenIdDeps,
): Promise<BrowserSession> {
  const provider = providerOf(issuerId, deps)
  const { issuer } = provider
  const flow =
    state && browser
      ? await store.takeFlow(deps.sql, { stateHash: hashOf(state), browserHash: hashOf(browser), issuer })
      : undefined
  if (!flow) throw new SignInFailed('expired')
  if (!code || (iss !== undefined && iss !== issuer && iss !== `${issuer}/`))
    throw new SignInFailed('refused')
  const { nonce, code_verifier: codeVerifier } = flow
  const redirectUri = redirectUriOf(provider, deps)
  const claims = await provider.redeem({ code, codeVerifier, nonce, redirectUri }).catch(failure)
  const user = await matchUser(claims, { address: visitor.from, agent: visitor.userAgent }, deps.sql)
  if (!user) throw new SignInFailed('unknown')
  return beginBrowserSession(user.id, visitor, deps)
}

function providerOf(issuerId: string, { providers }: OpenIdDeps): OpenIdProvider {
  const provider = providers.find(({ id }) => id === issuerId)
  if (!provider) throw new SignInFailed('refused')
  return provider
}

/** For each issuer one of its own: what one of them answers is never taken for another's. */
function redirectUriOf({ id }: OpenIdProvider, { baseUrl }: OpenIdDeps): string {
  return `${baseUrl}/auth/v1/browser/openid/${id}/callback`
}

/** For `catch`: what an issuer said or did not say. */
function failure(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  throw new SignInFailed(error.status === 503 ? 'unavailable' : 'refused')
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

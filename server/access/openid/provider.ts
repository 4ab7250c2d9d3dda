import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { unauthorized, unavailable } from '../../base/errors.ts'
import { claimsOf, type OpenIdClaims, readToken, remoteKeys } from './verifier.ts'

export interface ProviderOptions {
  /** Its id in addresses here. */
  id: string
  /** What people know it by. */
  name: string
  issuer: string
  clientId: string
  /** None for a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  /** Where it is not what the issuer's own description says. */
  jwksUrl: string | undefined
}

/** What a sign-in that is under way is held by, at the issuer's and here. */
export interface Challenge {
  state: string
  nonce: string
  /** RFC 7636, S256. */
  codeChallenge: string
  redirectUri: string
}

export interface Redemption {
  code: string
  codeVerifier: string
  nonce: string
  redirectUri: string
}

/** An OpenID issuer that browsers sign in at: the authorization code flow of OpenID Connect Core 1.0, section 3.1. */
export interface OpenIdProvider {
  id: string
  name: string
  issuer: string
  /** Where a browser is sent. */
  authorizationUrl(challenge: Challenge): Promise<string>
  /** Who came back with this code; throws 401 where anything is not as it was asked for, 503 where the issuer does not answer. */
  redeem(redemption: Redemption): Promise<OpenIdClaims>
}

interface Description {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  keys: JWTVerifyGetKey
  /** Whether the secret goes into the body: only where the issuer takes it nowhere else. */
  secretInBody: boolean
}

const KEEP_MS = 10 * 60_000
const PATIENCE_MS = 5000
const MOST_BYTES = 256 * 1024

export function openIdProvider(options: ProviderOptions): OpenIdProvider {
  const { id, name, issuer, clientId } = options
  let known: { description: Description; until: number } | undefined

  async function describe(): Promise<Description> {
    if (known && known.until > Date.now()) return known.description
    const description = await discover(options)
    known = { description, until: Date.now() + KEEP_MS }
    return description
  }

  return {
    id,
    name,
    issuer,
    async authorizationUrl({ state, nonce, codeChallenge, redirectUri }) {
      const url = new URL((await describe()).authorizationEndpoint)
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
      return url.href
    },
    async redeem({ nonce, ...redemption }) {
      const description = await describe()
      const idToken = await exchangeCode(description, options, redemption)
      const expected = { issuer: description.issuer, audience: clientId }
      const payload = await readToken(idToken, description.keys, expected)
      if (payload.nonce !== nonce || !isForUs(payload, clientId))
        throw unauthorized('the token is of another sign-in')
      return claimsOf(payload, issuer)
    },
  }
}

/** OpenID Connect Core 1.0, 3.1.3.7: of several audiences, one is whom the token was made for. */
function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  return azp === undefined ? !Array.isArray(aud) || aud.length === 1 : azp === clientId
}

/** Reads where the issuer's addresses are: OpenID Connect Discovery 1.0, section 4. */
async function discover({ issuer, jwksUrl }: ProviderOptions): Promise<Description> {
  const { body } = await ask(`${issuer}/.well-known/openid-configuration`)
  // Settings have no slash at the end, and some issuers do. Another issuer's description would send people, and codes, elsewhere.
  if (body.issuer !== issuer && body.issuer !== `${issuer}/`)
    throw unavailable('the OpenID issuer describes another issuer')
  const secure = issuer.startsWith('https:')
  const methods = body.token_endpoint_auth_methods_supported
  return {
    issuer: body.issuer,
    authorizationEndpoint: addressIn(body, 'authorization_endpoint', secure),
    tokenEndpoint: addressIn(body, 'token_endpoint', secure),
    keys: remoteKeys(jwksUrl ?? addressIn(body, 'jwks_uri', secure)),
    secretInBody:
      Array.isArray(methods) &&
      methods.includes('client_secret_post') &&
      !methods.includes('client_secret_basic'),
  }
}

function addressIn(body: Record<string, unknown>, field: string, secure: boolean): string {
  const text = body[field]
  const isAddress = typeof text === 'string' && URL.canParse(text)
  const protocols = secure ? ['https:'] : ['https:', 'http:']
  if (!isAddress || !protocols.includes(new URL(text).protocol))
    throw unavailable(`the OpenID issuer describes no usable ${field}`)
  return text
}

/** The ID token for a code. */
async function exchangeCode(
  { tokenEndpoint, secretInBody }: Description,
  { clientId, clientSecret }: ProviderOptions,
  { code, codeVerifier, redirectUri }: Omit<Redemption, 'nonce'>,
): Promise<string> {
  const inHeader = clientSecret !== undefined && !secretInBody
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...(!inHeader && { client_id: clientId }),
    ...(clientSecret !== undefined && secretInBody && { client_secret: clientSecret }),
  })
  const { status, body } = await ask(tokenEndpoint, {
    method: 'POST',
    body: form,
    headers: inHeader ? { authorization: basic(clientId, clientSecret) } : {},
  })
  // RFC 6749, 5.2: a code that is unknown, used, or another client's.
  if (status !== 200 || typeof body.id_token !== 'string') throw unauthorized('the issuer refused the code')
  return body.id_token
}

/** RFC 6749, 2.3.1: both are encoded as in a form first. */
function basic(clientId: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(secret)}`).toString('base64')}`
}

/** A JSON object of the issuer's, which has to answer soon, itself, and at no great length. */
async function ask(
  url: string,
  init: { method?: string; body?: URLSearchParams; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const body: unknown = JSON.parse(await readSome(response))
    if (response.status >= 500 || typeof body !== 'object' || body === null)
      throw new Error(`answered ${response.status}`)
    return { status: response.status, body: body as Record<string, unknown> }
  } catch {
    throw unavailable('the OpenID issuer does not answer')
  }
}

async function readSome(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MOST_BYTES) throw new Error('too long')
  }
  return text
}

import { createHash, randomBytes } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export const CLIENT = { id: 'marquee client', secret: 'a secret: of+both' }

interface Issued {
  redirectUri: string
  challenge: string
  nonce: string
}

interface Twist {
  issuer?: string
  audience?: string | string[]
  expires?: string
  /** Claims beside or instead of those that belong there. */
  claims?: JWTPayload
  /** Signs with a key that is not published. */
  forged?: boolean
}

/**
 * A small OpenID provider, the other party of a sign-in: discovery, keys, the authorization code flow with PKCE, and tokens that
 * are really signed. Everybody who comes to it is `person`, at once. It checks what a provider checks; `twist` makes it err.
 */
export async function startOpenIdProvider({ alg = 'ES256' } = {}) {
  const pair = await generateKeyPair(alg, { extractable: true })
  const stranger = await generateKeyPair(alg)
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg, use: 'sig' }
  const codes = new Map<string, Issued>()
  const provider = {
    issuer: '',
    jwk,
    person: { sub: 'abc' } as JWTPayload,
    twist: {} as Twist,
    /** Fields of the discovery document to be changed. */
    describes: {} as Record<string, unknown>,
    up: true,
    /** Requests for a token, by what came of them. */
    exchanges: [] as number[],
    sign: (claims: JWTPayload, { issuer, audience, expires, forged }: Twist = {}) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid: 'one' })
        .setIssuer(issuer ?? provider.issuer)
        .setAudience(audience ?? CLIENT.id)
        .setIssuedAt()
        .setExpirationTime(expires ?? '5m')
        .sign(forged ? stranger.privateKey : pair.privateKey),
  }

  function authorize(query: URLSearchParams): string {
    const get = (name: string) => query.get(name) ?? ''
    if (get('response_type') !== 'code' || get('client_id') !== CLIENT.id) throw new Error('no such client')
    if (get('code_challenge_method') !== 'S256' || !get('scope').split(' ').includes('openid'))
      throw new Error('asked for in another way')
    const code = randomBytes(16).toString('hex')
    codes.set(code, {
      redirectUri: get('redirect_uri'),
      challenge: get('code_challenge'),
      nonce: get('nonce'),
    })
    const back = new URL(get('redirect_uri'))
    back.searchParams.set('code', code)
    back.searchParams.set('state', get('state'))
    back.searchParams.set('iss', provider.issuer)
    return back.href
  }

  async function token(form: URLSearchParams, authorization: string): Promise<string | undefined> {
    const code = form.get('code') ?? ''
    const issued = codes.get(code)
    codes.delete(code)
    const encoded = [CLIENT.id, CLIENT.secret].map((text) =>
      new URLSearchParams([['', text]]).toString().slice(1),
    )
    const isClient = authorization === `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!issued || !isClient || form.get('grant_type') !== 'authorization_code') return undefined
    if (issued.challenge !== challenge || issued.redirectUri !== form.get('redirect_uri')) return undefined
    const { claims, ...options } = provider.twist
    return provider.sign({ ...provider.person, nonce: issued.nonce, ...claims }, options)
  }

  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, provider.issuer)
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!provider.up) return json(500, {})
    if (pathname === '/.well-known/jwks.json') return json(200, { keys: [jwk] })
    if (pathname === '/.well-known/openid-configuration')
      return json(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize?tenant=one`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/.well-known/jwks.json`,
        ...provider.describes,
      })
    if (pathname === '/authorize') return response.writeHead(302, { location: authorize(searchParams) }).end()
    if (pathname !== '/token') return json(404, {})
    let body = ''
    for await (const chunk of request) body += chunk
    const idToken = await token(new URLSearchParams(body), request.headers.authorization ?? '')
    provider.exchanges.push(idToken ? 200 : 400)
    return idToken
      ? json(200, { id_token: idToken, access_token: 'x', token_type: 'Bearer' })
      : json(400, { error: 'invalid_grant' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  provider.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(provider, { close: () => void server.close() })
}

export type TestProvider = Awaited<ReturnType<typeof startOpenIdProvider>>

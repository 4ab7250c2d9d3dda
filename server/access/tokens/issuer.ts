import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { unauthorized } from '../../base/errors.ts'
import type { SessionId } from '../../base/ids.ts'

/** The name in `iss` that tells built-in tokens from an OpenID issuer's. */
export const BUILT_IN_ISSUER = 'marquee'
// Issuer and verifier are the same service, so one shared secret does. Never read from the token.
const ALGORITHM = 'HS256'
const REMEMBERED = 5000
const TYPES = { access: 'at+jwt', refresh: 'rt+jwt', browser: 'bt+jwt' } as const

export interface AccessClaims {
  /** A user's or a key's id. */
  subject: string
  sessionId: SessionId
}

export interface RefreshClaims {
  sessionId: SessionId
  generation: number
}

/** Signs and reads the service's own tokens. */
export interface TokenIssuer {
  signAccess(claims: AccessClaims, lifetimeSeconds: number): Promise<string>
  signRefresh(claims: RefreshClaims, lifetimeSeconds: number): Promise<string>
  /** For the cookie of a browser, which no other operation takes for a token. */
  signBrowser(claims: { sessionId: SessionId }, lifetimeSeconds: number): Promise<string>
  readBrowser(token: string): Promise<{ sessionId: SessionId }>
  readAccess(token: string): Promise<AccessClaims>
  /** What an access token says that was read before and has not ended since. */
  recallAccess(token: string): AccessClaims | undefined
  readRefresh(token: string): Promise<RefreshClaims>
}

/** Of a token that was checked: it is one of ours. */
function sessionOf({ sid }: JWTPayload): SessionId {
  return sid as SessionId
}

export function tokenIssuer(secret: string): TokenIssuer {
  const key = Buffer.from(secret, 'base64url')
  // A signature that was right stays right, so a token that comes with every request is checked once.
  // Whether its session still stands is asked of the database each time.
  const verified = new Map<string, { claims: AccessClaims; expiresAt: number }>()

  function sign(typ: string, payload: Record<string, unknown>, lifetimeSeconds: number): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT(payload)
      .setProtectedHeader({ alg: ALGORITHM, typ })
      .setIssuer(BUILT_IN_ISSUER)
      .setAudience(BUILT_IN_ISSUER)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetimeSeconds)
      .sign(key)
  }

  async function read(typ: string, token: string) {
    try {
      const expected = { algorithms: [ALGORITHM], issuer: BUILT_IN_ISSUER, audience: BUILT_IN_ISSUER, typ }
      return (await jwtVerify(token, key, { ...expected, requiredClaims: ['exp', 'sid'] })).payload
    } catch {
      throw unauthorized('the token is invalid or expired')
    }
  }

  return {
    signAccess: ({ subject, sessionId }, lifetime) =>
      sign(TYPES.access, { sub: subject, sid: sessionId }, lifetime),
    signRefresh: ({ sessionId, generation }, lifetime) =>
      sign(TYPES.refresh, { sid: sessionId, gen: generation }, lifetime),
    signBrowser: ({ sessionId }, lifetime) => sign(TYPES.browser, { sid: sessionId }, lifetime),
    readBrowser: async (token) => ({ sessionId: sessionOf(await read(TYPES.browser, token)) }),
    async readAccess(token) {
      const payload = await read(TYPES.access, token)
      const claims = { subject: String(payload.sub), sessionId: sessionOf(payload) }
      if (verified.size >= REMEMBERED) verified.clear()
      verified.set(token, { claims, expiresAt: payload.exp! * 1000 })
      return claims
    },
    recallAccess(token) {
      const known = verified.get(token)
      return known && known.expiresAt > Date.now() ? known.claims : undefined
    },
    async readRefresh(token) {
      const payload = await read(TYPES.refresh, token)
      return { sessionId: sessionOf(payload), generation: Number(payload.gen) }
    },
  }
}

import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { unauthorized, unavailable } from '../../base/errors.ts'

export interface OpenIdOptions {
  issuer: string
  audience: string
  jwksUrl: string
}

export interface OpenIdClaims {
  issuer: string
  subject: string
  /** Only where the issuer vouches that it is theirs. */
  verifiedEmail: string | undefined
}

export interface OpenIdVerifier {
  issuer: string
  verify(token: string): Promise<OpenIdClaims>
}

// Signatures by a key pair only: a token can never be checked with a public key taken as a secret.
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** The keys that an issuer publishes; fetched when they are first needed, and again when a token names another. */
export function remoteKeys(jwksUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5000, cooldownDuration: 10_000 })
}

/** What a token says that the issuer made for this audience and that has not ended; throws 401, or 503 where its keys cannot be had. */
export async function readToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience }: { issuer: string | string[]; audience: string },
): Promise<JWTPayload> {
  const options = {
    issuer,
    audience,
    algorithms: ALGORITHMS,
    requiredClaims: ['exp', 'sub'],
    clockTolerance: 5,
  }
  const { payload } = await jwtVerify(token, keys, options).catch((error) => {
    throw isAboutToken(error)
      ? unauthorized('the token is invalid or expired')
      : unavailable('the OpenID issuer does not answer')
  })
  return payload
}

/** Whom a token that was checked is about. */
export function claimsOf(payload: JWTPayload, issuer: string): OpenIdClaims {
  const vouched = payload.email_verified === true && typeof payload.email === 'string'
  return {
    issuer,
    subject: payload.sub!,
    verifiedEmail: vouched ? (payload.email as string).toLowerCase() : undefined,
  }
}

export function openIdVerifier({ issuer, audience, jwksUrl }: OpenIdOptions): OpenIdVerifier {
  const keys = remoteKeys(jwksUrl)
  return {
    issuer,
    async verify(token) {
      // Settings have no slash at the end, and some issuers do.
      const expected = { issuer: [issuer, `${issuer}/`], audience }
      return claimsOf(await readToken(token, keys, expected), issuer)
    },
  }
}

/** As opposed to: the issuer's keys could not be had. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  )
}

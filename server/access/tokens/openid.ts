import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
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

export function openIdVerifier({ issuer, audience, jwksUrl }: OpenIdOptions): OpenIdVerifier {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5000, cooldownDuration: 10_000 })
  return {
    issuer,
    async verify(token) {
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
      const vouched = payload.email_verified === true && typeof payload.email === 'string'
      return {
        issuer,
        subject: payload.sub!,
        verifiedEmail: vouched ? (payload.email as string).toLowerCase() : undefined,
      }
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

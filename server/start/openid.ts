import { openIdProvider, openIdVerifier } from '../access/index.ts'
import type { Config } from '../config/config.ts'

/** Checks tokens of the OpenID issuer that is configured. */
export function openIdOf({ oidcIssuer: issuer, oidcAudience: audience, oidcJwksUrl }: Config) {
  if (!issuer || !audience) return undefined
  return openIdVerifier({ issuer, audience, jwksUrl: oidcJwksUrl ?? `${issuer}/.well-known/jwks.json` })
}

/** OpenID issuers that people can sign in with in a browser. */
export function providersOf({ oidcIssuer: issuer, oidcClientId: clientId, ...config }: Config) {
  if (!issuer || !clientId) return []
  const { oidcClientSecret: clientSecret, oidcJwksUrl: jwksUrl, oidcName } = config
  const name = oidcName ?? new URL(issuer).host
  return [openIdProvider({ id: 'default', name, issuer, clientId, clientSecret, jwksUrl })]
}

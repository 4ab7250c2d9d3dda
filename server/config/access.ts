import { list, secret, serverUrl, text, url, wholeNumber } from './settings.ts'

/** Who signs in, and how it is known who they are. */
export const accessSettings = {
  accessTokenLifetimeSeconds: wholeNumber(
    'MARQUEE_ACCESS_TOKEN_LIFETIME',
    900,
    'Seconds an access token works.',
    {
      min: 10,
      max: 86400,
    },
  ),
  refreshTokenLifetimeSeconds: wholeNumber(
    'MARQUEE_REFRESH_TOKEN_LIFETIME',
    2592000,
    'Seconds a refresh token works; each use replaces it.',
    { min: 60, max: 31536000 },
  ),
  invitationLifetimeSeconds: wholeNumber(
    'MARQUEE_INVITATION_LIFETIME',
    604800,
    'Seconds an invitation can be accepted.',
    { min: 60, max: 31536000 },
  ),
  smtpUrl: serverUrl(
    'MARQUEE_SMTP_URL',
    ['smtp:', 'smtps:'],
    'Mail server that invitations and links for a new password are sent by, `smtp://user:password@host:587` (TLS where the server offers it; always with `?requireTLS=true`) or `smtps://…:465`. Default: no mail; whoever invites passes the link on, and an operator makes those for a new password.',
  ),
  mailFrom: text(
    'MARQUEE_MAIL_FROM',
    undefined,
    'Sender of that mail, `media@example.com` or `Media <media@example.com>`.',
  ),
  regions: list(
    'MARQUEE_REGIONS',
    [],
    'Names of the regions that projects may be made with, separated by commas; others are refused. They do not choose where media is kept.',
  ),
  dnsServers: list(
    'MARQUEE_DNS_SERVERS',
    [],
    'Servers of the DNS, `192.0.2.53` or `192.0.2.53:5353`, separated by commas: custom domains are proved by them, and names looked up that the service calls for its users. Default: those of the system.',
  ),
  oidcIssuer: url(
    'MARQUEE_OIDC_ISSUER',
    undefined,
    'OpenID issuer whose tokens are accepted beside the built-in ones.',
  ),
  oidcAudience: text('MARQUEE_OIDC_AUDIENCE', undefined, 'Audience that those tokens must name.'),
  oidcJwksUrl: url(
    'MARQUEE_OIDC_JWKS_URL',
    undefined,
    'Where that issuer publishes its keys. Default: `<issuer>/.well-known/jwks.json`; for browsers, what the issuer’s own description says.',
  ),
  oidcClientId: text(
    'MARQUEE_OIDC_CLIENT_ID',
    undefined,
    'Id under which the service is known to that issuer: people can then sign in with it in a browser. The issuer has to lead back to `<base URL>/auth/v1/browser/openid/default/callback`.',
  ),
  oidcClientSecret: secret(
    'MARQUEE_OIDC_CLIENT_SECRET',
    'Secret beside that id. Default: none, as for public clients.',
  ),
  oidcName: text(
    'MARQUEE_OIDC_NAME',
    undefined,
    'What people know that issuer by, on the page for signing in. Default: its host.',
  ),
}

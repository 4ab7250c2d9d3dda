import { pairs, secret, text, url, wholeNumber } from './settings.ts'

/** Which payment providers are heard, and how what they say is understood. */
export const billingSettings = {
  billingProviders: pairs(
    'MARQUEE_BILLING_PROVIDERS',
    [['payments', 'standard-webhooks']],
    'Payment providers, `name=scheme`, separated by commas; the name is the end of the webhook’s address. Schemes: `standard-webhooks`, `stripe`.',
  ),
  billingSecrets: pairs(
    'MARQUEE_BILLING_SECRETS',
    [],
    'Secrets that providers sign with, `name=secret`, separated by commas. Several of one name are all accepted: that is how one is rotated. Default: for `payments`, `webhook_secret` in `quickstart.json`.',
  ),
  billingPrices: pairs(
    'MARQUEE_BILLING_PRICES',
    [],
    'Plans by the provider’s own names for its prices, `price=plan`, separated by commas.',
  ),
  billingGraceSeconds: wholeNumber(
    'MARQUEE_BILLING_GRACE',
    604800,
    'Seconds an organization keeps its plan after a payment has failed.',
    { max: 31536000 },
  ),
  billingUrl: url(
    'MARQUEE_BILLING_URL',
    undefined,
    'Internal address of a billing component that runs on its own (`marquee billing`). Default: it runs in this process.',
  ),
  billingInternalSecret: secret(
    'MARQUEE_BILLING_INTERNAL_SECRET',
    'What the service and such a component know each other by. At least 16 characters.',
  ),
  billingHost: text('MARQUEE_BILLING_HOST', '127.0.0.1', 'Address that `marquee billing` listens on.'),
  billingPort: wholeNumber(
    'MARQUEE_BILLING_PORT',
    8081,
    'Port that `marquee billing` listens on. `0` takes any free one.',
    { min: 0, max: 65535 },
  ),
  webhooksPerMinute: wholeNumber(
    'MARQUEE_LIMIT_WEBHOOKS_PER_MINUTE',
    60000,
    'Webhooks a minute for each client address.',
  ),
}

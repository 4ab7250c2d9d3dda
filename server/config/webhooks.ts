import { networks, oneOf, wholeNumber } from './settings.ts'

const DAY = 86400

/** How apps are told what happens, and what is kept of it. */
export const webhookSettings = {
  outboundNetworks: networks(
    'MARQUEE_OUTBOUND_NETWORKS',
    'Private addresses and networks that the service may call for its users all the same, such as 10.1.0.0/16, separated by commas. Default: none.',
  ),
  webhooksAllowPrivate: oneOf(
    'MARQUEE_WEBHOOKS_ALLOW_PRIVATE',
    ['true', 'false'],
    'false',
    'Whether webhooks may call any address, also those inside private networks. For machines on which nobody else has an account.',
  ),
  webhookTrySeconds: wholeNumber(
    'MARQUEE_WEBHOOK_TRY',
    3 * DAY,
    'Seconds for which it is tried to tell an endpoint of what has happened.',
    { min: 1 },
  ),
  webhookFirstPauseSeconds: wholeNumber(
    'MARQUEE_WEBHOOK_FIRST_PAUSE',
    5,
    'Seconds before the second try. Each pause after it is three times as long, up to six hours.',
    { min: 1, max: 3600 },
  ),
  webhookTimeoutSeconds: wholeNumber(
    'MARQUEE_WEBHOOK_TIMEOUT',
    15,
    'Seconds in which an endpoint has to answer.',
    { min: 1, max: 120 },
  ),
  webhookOffAfterSeconds: wholeNumber(
    'MARQUEE_WEBHOOK_OFF_AFTER',
    5 * DAY,
    'Seconds after which an endpoint that has taken nothing is switched off.',
    { min: 1 },
  ),
  webhookKeepSeconds: wholeNumber(
    'MARQUEE_WEBHOOK_KEEP',
    30 * DAY,
    'Seconds for which it is kept what endpoints were told, and what they answered.',
    { min: 3600 },
  ),
  auditKeepSeconds: wholeNumber('MARQUEE_AUDIT_KEEP', 365 * DAY, 'Seconds for which the audit log is kept.', {
    min: DAY,
  }),
}

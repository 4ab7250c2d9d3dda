import { createHmac, createSecretKey } from 'node:crypto'
import type { Webhook } from 'standardwebhooks'
import { lazy } from '../../base/async/lazy.ts'
import type { SubscriptionChange } from '../events.ts'
import {
  about,
  badSignature,
  eventId,
  leftAlone,
  objectAt,
  organizationIn,
  planIn,
  type Scheme,
  statusIn,
  timeIn,
  typeOf,
} from './scheme.ts'

// Loaded with the first secret: most installations never have one. Asking for it again and again costs more than a check.
const library = lazy(async () => {
  const { Webhook, WebhookVerificationError } = await import('standardwebhooks')
  return { Checker: withNativeHmac(Webhook), WebhookVerificationError }
})

/** The library does all but the HMAC itself, for which its own, in JavaScript, takes three times as long. */
function withNativeHmac(Library: typeof Webhook): typeof Webhook {
  return class extends Library {
    // Made once: a key that is given as bytes is taken in again for every use, which costs more than its use.
    readonly #key = createSecretKey((this as unknown as { key: Uint8Array }).key)

    override sign(id: string, timestamp: Date, payload: string): string {
      const seconds = Math.floor(timestamp.getTime() / 1000)
      return `v1,${createHmac('sha256', this.#key).update(`${id}.${seconds}.${payload}`).digest('base64')}`
    }
  }
}

const checkers = new Map<string, Webhook>()

const KINDS: Record<string, SubscriptionChange['kind']> = {
  'subscription.created': 'created',
  'subscription.updated': 'updated',
  'subscription.canceled': 'ended',
  'subscription.cancelled': 'ended',
  'payment.failed': 'payment_failed',
  'payment.succeeded': 'payment_succeeded',
}

/** https://www.standardwebhooks.com; what stands in `data` is ours, see docs/billing.md. */
export const standardWebhooks: Scheme = {
  async learnSecret(secret) {
    const { Checker } = await library()
    checkers.set(secret, new Checker(secret))
  },

  async verify(text, headers, secrets) {
    const { WebhookVerificationError } = await library()
    for (const secret of secrets)
      try {
        // Both ways: it refuses what is older than five minutes, and what is that far ahead.
        checkers.get(secret)!.verify(text, headers as Record<string, string>, { jsonParse: false })
        return Number.parseInt(headers['webhook-timestamp']!, 10)
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error
      }
    throw badSignature()
  },

  idOf: (_event, headers) => eventId(headers['webhook-id'], 'webhook-id'),

  timeOf: ({ timestamp }) => timeIn(timestamp),

  meaningOf(event, prices) {
    const type = typeOf(event)
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    if (!kind) return leftAlone(type)
    const data = objectAt(event, 'data')
    const org_id = organizationIn(data.org_id)
    // Who never has two subscriptions at once need not name them.
    return about(type, data.subscription_id ?? org_id, {
      kind,
      org_id,
      plan: planIn(data.plan, prices),
      status: statusIn(data.status),
      period_start: timeIn(data.period_start),
      period_end: timeIn(data.period_end),
      ends_at: data.ends_at === null ? null : timeIn(data.ends_at),
    })
  },
}

import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import type { Answer } from './api.ts'

export const STANDARD_SECRET = `whsec_${Buffer.from('the provider signs with this key').toString('base64')}`
export const STRIPE_SECRET = 'whsec_the_secret_that_stripe_shows'

/** Two providers, one of each scheme. */
export const PROVIDERS = {
  MARQUEE_BILLING_PROVIDERS: 'payments=standard-webhooks,stripe=stripe',
  MARQUEE_BILLING_SECRETS: `payments=${STANDARD_SECRET},stripe=${STRIPE_SECRET}`,
  MARQUEE_BILLING_PRICES: 'price_pro=pro,price_metered=pay_as_you_go,price_large=custom',
}

export const seconds = (ms = Date.now()) => Math.floor(ms / 1000)

export type Signed = { headers: Record<string, string>; body: string | Uint8Array<ArrayBuffer> }

/** As the provider's own library signs it. */
export function standardSigned(
  body: string,
  { id = `msg_${randomUUID()}`, at = seconds(), secret = STANDARD_SECRET } = {},
): Signed {
  const signature = new Webhook(secret).sign(id, new Date(at * 1000), body)
  return {
    body,
    headers: { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signature },
  }
}

/** As the specification of Standard Webhooks says, by hand. */
export function standardByHand(
  body: string | Buffer,
  id: string,
  at: number,
  secret = STANDARD_SECRET,
): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest('base64')}`
}

/** As Stripe's own library signs it. */
export function stripeSigned(body: string, { at = seconds(), secret = STRIPE_SECRET } = {}): Signed {
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at })
  return { body, headers: { 'stripe-signature': header } }
}

/** As Stripe's documentation says, by hand. */
export function stripeByHand(body: string | Buffer, at: number, secret = STRIPE_SECRET): string {
  return createHmac('sha256', secret).update(`${at}.`).update(body).digest('hex')
}

export async function deliver(
  url: string,
  { headers, body }: Signed,
  { provider = 'payments', more = {} }: { provider?: string; more?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${url}/billing/webhooks/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
    body,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** An event as docs/billing.md describes it for Standard Webhooks. */
export function standardEvent(type: string, data: object, at: Date | number = Date.now()): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
}

/** An event in the shape of Stripe's own. */
export function stripeEvent(type: string, object: object, { at = seconds(), id = `evt_${newToken()}` } = {}) {
  return JSON.stringify({
    id,
    object: 'event',
    api_version: '2025-03-31.basil',
    created: at,
    type,
    data: { object },
  })
}

const newToken = () => randomBytes(12).toString('hex')

import { lazy } from '../../base/async/lazy.ts'
import type { SubscriptionChange } from '../events.ts'
import {
  about,
  badSignature,
  eventId,
  type JsonObject,
  leftAlone,
  objectAt,
  organizationIn,
  type Prices,
  planIn,
  type Scheme,
  statusIn,
  TOLERANCE_SECONDS,
  timeOfSeconds,
  typeOf,
} from './scheme.ts'

// Loaded with the first webhook: it is all of Stripe's interface, and 30 MB of memory, of which this needs one function.
const library = lazy(async () => (await import('stripe')).default)

const OF_SUBSCRIPTION: Record<string, SubscriptionChange['kind']> = {
  'customer.subscription.created': 'created',
  'customer.subscription.updated': 'updated',
  'customer.subscription.paused': 'updated',
  'customer.subscription.resumed': 'updated',
  'customer.subscription.deleted': 'ended',
}

const OF_INVOICE: Record<string, SubscriptionChange['kind']> = {
  'invoice.payment_failed': 'payment_failed',
  'invoice.paid': 'payment_succeeded',
  'invoice.payment_succeeded': 'payment_succeeded',
}

/** https://docs.stripe.com/webhooks, with the events of Stripe's own subscriptions and invoices. */
export const stripe: Scheme = {
  async learnSecret(secret) {
    if (/\s/.test(secret)) throw new Error('it contains a space')
  },

  async verify(text, headers, secrets) {
    const { webhooks, errors } = await library()
    const header = headers['stripe-signature']
    const signedAt = timestampIn(header)
    // The library looks at one side only: what is signed for later would be good until then.
    if (header === undefined || signedAt === undefined || signedAt > now() + TOLERANCE_SECONDS)
      throw badSignature()
    for (const secret of secrets)
      try {
        webhooks.signature!.verifyHeader(text, header, secret, TOLERANCE_SECONDS)
        return signedAt
      } catch (error) {
        if (!(error instanceof errors.StripeSignatureVerificationError)) throw error
      }
    throw badSignature()
  },

  idOf: ({ id }) => eventId(id, 'id'),

  timeOf: ({ created }) => timeOfSeconds(created),

  meaningOf(event, prices) {
    const type = typeOf(event)
    const object = objectAt(event, 'data', 'object')
    if (Object.hasOwn(OF_SUBSCRIPTION, type))
      return about(type, object.id, ofSubscription(OF_SUBSCRIPTION[type]!, object, prices))
    if (!Object.hasOwn(OF_INVOICE, type)) return leftAlone(type)
    // Where an invoice names its subscription has changed with the versions of Stripe's interface.
    const parent = objectAt(object, 'parent', 'subscription_details')
    const named = object.subscription ?? parent.subscription
    return about(type, objectAt(named).id ?? named, {
      kind: OF_INVOICE[type]!,
      org_id: organizationIn(
        objectAt(parent, 'metadata').org_id ?? objectAt(object, 'subscription_details', 'metadata').org_id,
      ),
    })
  },
}

function ofSubscription(
  kind: SubscriptionChange['kind'],
  object: JsonObject,
  prices: Prices,
): SubscriptionChange {
  const items = objectAt(object, 'items').data
  const all: unknown[] = Array.isArray(items) ? items : []
  const metadata = objectAt(object, 'metadata')
  const bought = all.flatMap((item) => planIn(objectAt(item, 'price').id, prices) ?? [])
  // The period has moved from the subscription to its items with the versions of Stripe's interface.
  const period = object.current_period_end === undefined ? objectAt(all[0]) : object
  return {
    kind,
    org_id: organizationIn(metadata.org_id),
    plan: planIn(metadata.plan, prices) ?? bought[0],
    status: object.status === 'incomplete_expired' ? 'canceled' : statusIn(object.status),
    period_start: timeOfSeconds(period.current_period_start),
    period_end: timeOfSeconds(period.current_period_end),
    ends_at: kind === 'ended' ? timeOfSeconds(object.ended_at) : (timeOfSeconds(object.cancel_at) ?? null),
  }
}

/** The one time that the header names; the library would take the last of several. */
function timestampIn(header: string | undefined): number | undefined {
  const times = (header ?? '').split(',').flatMap((part) => (part.startsWith('t=') ? [part.slice(2)] : []))
  return times.length === 1 && /^\d{1,12}$/.test(times[0]!) ? Number(times[0]) : undefined
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

import { batch } from '../base/async/batch.ts'
import { badRequest, notFound, Refusal, unavailable } from '../base/errors.ts'
import { isOutage, type Sql } from '../platform/postgres/client.ts'
import type { BillingEvent } from './events.ts'
import { keepEvents } from './keep-events.ts'
import { type BillingComponent, type Delivery, MAX_BODY, type Receipt } from './port.ts'
import { noSecret, type Providers } from './providers.ts'
import type { JsonObject, Prices } from './schemes/scheme.ts'
import { schemeOf } from './schemes/schemes.ts'
import type { Grace } from './settle-plans.ts'

export interface ReceiveWebhookDeps extends Grace {
  sql: Sql
  providers: Providers
  prices: Prices
  onError(error: unknown): void
}

// So many that some are being read while others are being stored, so few that each stores many.
const CONCURRENCY = 4
const MAX_ITEMS = 64
const MAX_WEIGHT = 4 * MAX_BODY

/** The component in this process. */
export function billingInProcess(deps: ReceiveWebhookDeps): BillingComponent {
  // A transaction costs much the same for one event as for many.
  const keep = batch<BillingEvent, Receipt>((take) => keepEvents(take, deps), {
    concurrency: CONCURRENCY,
    maxItems: MAX_ITEMS,
    maxWeight: MAX_WEIGHT,
    weigh: ({ body }) => body.length,
    failsForAll: isOutage,
  })
  return {
    async receive(delivery) {
      const event = await readEvent(delivery, deps)
      try {
        return await keep(event)
      } catch (error) {
        // Whatever the reason: the provider has to send it again.
        deps.onError(error)
        throw unavailable('the event could not be stored')
      }
    },
  }
}

/** What was sent, once it is known to be the provider's. */
async function readEvent(
  { provider, body, headers }: Delivery,
  { providers, prices }: ReceiveWebhookDeps,
): Promise<BillingEvent> {
  const known = providers.get(provider)
  if (!known) throw notFound('no such provider')
  const scheme = schemeOf(known.scheme)!
  if (body.length > MAX_BODY) throw new Refusal(413)
  const text = textOf(body)
  const secrets = await known.secrets()
  if (secrets.length === 0) throw badRequest(noSecret(provider))
  const signedAt = await scheme.verify(text, headers, secrets)
  const event = objectIn(text)
  return {
    provider,
    id: scheme.idOf(event, headers),
    scheme: known.scheme,
    occurredAt: scheme.timeOf(event) ?? new Date(signedAt * 1000).toISOString(),
    body: text,
    ...scheme.meaningOf(event, prices),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The libraries sign text. It has to stand for these very bytes, so bytes that are no text are refused. */
function textOf(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('body: not UTF-8')
  }
}

function objectIn(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw badRequest('body: not valid JSON')
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as JsonObject
  throw badRequest('body: not a JSON object')
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal, unavailable } from '../base/errors.ts'
import type { BillingComponent, Delivery, Receipt } from './port.ts'

export interface ForwardOptions {
  /** Internal address of the component. */
  url: string
  /** What both know each other by. */
  secret: string
  onError(error: unknown): void
  /** How long it is tried before the provider is told to come again; less than providers wait for an answer. */
  patienceMs?: number
}

const PATIENCE_MS = 8000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000

/**
 * The component behind an address. The provider is answered only once the component has stored the event, so
 * nothing that was acknowledged is ever only on its way. An answer that got lost is asked for again: what was
 * stored by then is a duplicate, and no harm.
 */
export function billingElsewhere(options: ForwardOptions): BillingComponent {
  const { patienceMs = PATIENCE_MS, onError } = options
  return {
    async receive(delivery) {
      const deadline = performance.now() + patienceMs
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        try {
          return await ask(delivery, options, Math.ceil(deadline - performance.now()))
        } catch (error) {
          if (error instanceof Refusal) throw error
          if (performance.now() + pause >= deadline) {
            onError(error)
            throw unavailable('the event could not be stored')
          }
        }
        await sleep(pause)
      }
    },
  }
}

/** Refusals that trying again would not change. */
const FINAL = [400, 404, 413]

async function ask(
  { provider, body, headers }: Delivery,
  { url, secret }: ForwardOptions,
  patienceMs: number,
): Promise<Receipt> {
  const response = await fetch(`${url}/webhooks/${encodeURIComponent(provider)}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${secret}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  })
  const answer = (await response.json()) as { status?: Receipt; details?: string }
  if (FINAL.includes(response.status)) throw new Refusal(response.status, { details: answer.details })
  const isReceipt = answer.status === 'received' || answer.status === 'duplicate'
  // Anything else answers at that address: it has stored nothing.
  if (response.status !== 200 || !isReceipt)
    throw new Error(`the billing component answered ${response.status}`)
  return answer.status!
}

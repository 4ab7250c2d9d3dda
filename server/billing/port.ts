/** A webhook as it came: the bytes that were signed, and the headers that say by whom. */
export interface Delivery {
  provider: string
  body: Buffer
  headers: SignatureHeaders
}

/** The headers of every scheme; the receiver passes on those that are there and judges none. */
export const SIGNATURE_HEADERS = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'stripe-signature',
] as const

export type SignatureHeaders = Partial<Record<(typeof SIGNATURE_HEADERS)[number], string>>

export type Receipt = 'received' | 'duplicate'

/**
 * What makes something of webhooks: in this process, or behind an address of its own. It answers once the
 * event is stored for good, and refuses otherwise: 400 what was not signed by the provider or is no JSON
 * object, 404 an unknown provider, 503 what it cannot store now.
 */
export interface BillingComponent {
  receive(delivery: Delivery): Promise<Receipt>
}

/** Bytes of a body, packed or not. */
export const MAX_BODY = 2 ** 20

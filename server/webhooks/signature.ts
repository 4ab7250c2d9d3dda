import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { MessageId } from '../base/ids.ts'

interface SignedMessage {
  id: MessageId
  /** In milliseconds. */
  at: number
  body: string
  /** All that are valid: whoever still checks by the old one of two finds its own signature. */
  secrets: readonly string[]
}

/** Headers of a delivery, as Standard Webhooks says. */
export function signedHeaders({ id, at, body, secrets }: SignedMessage): Record<string, string> {
  const seconds = Math.floor(at / 1000)
  const signatures = secrets.map((secret) => {
    return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Marquee-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}

/** Node makes a key object of whatever else it is given, which takes five times as long as the signature itself. */
const keys = new LRUCache<string, KeyObject>({ max: 1000 })

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const key = createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'))
  keys.set(secret, key)
  return key
}

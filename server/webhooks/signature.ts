import { createHmac } from 'node:crypto'
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
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'user-agent': 'Marquee-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}

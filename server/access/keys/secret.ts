import { hash, randomBytes } from 'node:crypto'
import { newIdSuffix } from '../../base/ids.ts'

export type KeyKind = 'sk' | 'pk'

const FORM = /^mq_(sk|pk)_([0-9a-hjkmnp-tv-z]{26})_([A-Za-z0-9_-]{43})$/

export interface ParsedKey {
  id: string
  kind: KeyKind
  hash: Buffer
}

/** Text of a key: its kind and id in the open, then 256 random bits that only its holder knows. */
export function composeKey(kind: KeyKind, keyId: string): string {
  return `mq_${kind}_${keyId.slice('key_'.length)}_${randomBytes(32).toString('base64url')}`
}

export function newKeyId(): string {
  return `key_${newIdSuffix()}`
}

export function parseKey(text: string): ParsedKey | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  return { kind: parts[1] as KeyKind, id: `key_${parts[2]}`, hash: hashSecret(parts[3]!) }
}

// The secret is random over its whole length: one round of SHA-256 is as good as many.
function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

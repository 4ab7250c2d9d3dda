import { hash, randomBytes } from 'node:crypto'
import type { KeyId } from '../../base/ids.ts'
import { newIdSuffix } from '../../base/ids.ts'
import { ALL_PERMISSIONS, type PermissionSet, permissionSet } from '../../base/permissions.ts'

export type KeyKind = 'sk' | 'pk'

const FORM = /^mq_(sk|pk)_([0-9a-hjkmnp-tv-z]{26})_([A-Za-z0-9_-]{43})$/

export interface ParsedKey {
  id: KeyId
  kind: KeyKind
  hash: Buffer
}

/** Text of a key: its kind and id in the open, then 256 random bits that only its holder knows. */
export function composeKey(kind: KeyKind, keyId: KeyId): string {
  return `mq_${kind}_${keyId.slice('key_'.length)}_${randomBytes(32).toString('base64url')}`
}

export function newKeyId(): KeyId {
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

const PUBLISHABLE = permissionSet(['events:write', 'feeds:read', 'posts:read'])

/** What a key of this kind may do in its project, before any policy narrows it. */
export function permissionsOfKind(kind: KeyKind): PermissionSet {
  return kind === 'pk' ? PUBLISHABLE : ALL_PERMISSIONS
}

/** What a key may do: all that its kind may, or, for a secret key with policies, what they say. */
export function permissionsOfKey(kind: KeyKind, policies: readonly string[] | undefined): PermissionSet {
  return kind === 'sk' && policies ? permissionSet(policies) : permissionsOfKind(kind)
}

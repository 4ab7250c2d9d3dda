import { ALL_PERMISSIONS, type PermissionSet, permissionSet } from '../../base/permissions.ts'
import type { KeyKind } from './secret.ts'

const PUBLISHABLE = permissionSet(['events:write', 'feeds:read', 'posts:read'])

/** What a key of this kind may do in its project, before any policy narrows it. */
export function permissionsOfKind(kind: KeyKind): PermissionSet {
  return kind === 'pk' ? PUBLISHABLE : ALL_PERMISSIONS
}

/** What a key may do: all that its kind may, or, for a secret key with policies, what they say. */
export function permissionsOfKey(kind: KeyKind, policies: readonly string[] | undefined): PermissionSet {
  return kind === 'sk' && policies ? permissionSet(policies) : permissionsOfKind(kind)
}

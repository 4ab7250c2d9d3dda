import { badRequest } from './errors.ts'

const RESOURCES = [
  'videos',
  'images',
  'feeds',
  'posts',
  'projects',
  'policies',
  'members',
  'keys',
  'analytics',
  'events',
  'billing',
] as const
const ACTIONS = ['read', 'write', 'delete'] as const

export type Permission = `${(typeof RESOURCES)[number]}:${(typeof ACTIONS)[number]}`

/** Every permission there is; its place in the list is its bit, so append only. */
export const PERMISSIONS: readonly Permission[] = RESOURCES.flatMap((resource) =>
  ACTIONS.map((action) => `${resource}:${action}` as const),
)

/** A set of permissions, one bit each. */
export type PermissionSet = bigint

const NO_PERMISSIONS: PermissionSet = 0n
export const ALL_PERMISSIONS: PermissionSet = (1n << BigInt(PERMISSIONS.length)) - 1n

/** What each accepted string stands for: the permissions themselves, and those with `*` on either side. */
const MEANING = new Map<string, PermissionSet>(
  [...RESOURCES, '*'].flatMap((resource) =>
    [...ACTIONS, '*'].map((action) => [`${resource}:${action}`, bitsMatching(resource, action)] as const),
  ),
)

function bitsMatching(resource: string, action: string): PermissionSet {
  return PERMISSIONS.reduce((set, permission, bit) => {
    const [r, a] = permission.split(':')
    const matches = (resource === '*' || resource === r) && (action === '*' || action === a)
    return matches ? set | (1n << BigInt(bit)) : set
  }, NO_PERMISSIONS)
}

/** Reads permission strings that were checked when they were stored; an unknown one grants nothing. */
export function permissionSet(strings: readonly string[]): PermissionSet {
  return strings.reduce((set, string) => set | (MEANING.get(string) ?? NO_PERMISSIONS), NO_PERMISSIONS)
}

/** Reads permission strings from outside. */
export function parsePermissions(strings: readonly string[]): PermissionSet {
  const unknown = strings.find((string) => !MEANING.has(string))
  if (unknown !== undefined)
    throw badRequest(`permissions: "${unknown}" is unknown; see GET /auth/v1/policies/permissions`)
  return permissionSet(strings)
}

export function includes(held: PermissionSet, wanted: PermissionSet): boolean {
  return (held & wanted) === wanted
}

/** The permissions of a set by name. */
export function namesOf(set: PermissionSet): Permission[] {
  return PERMISSIONS.filter((_, bit) => (set >> BigInt(bit)) & 1n)
}

import { forbidden, type Refusal } from './errors.ts'
import type { KeyId, OrganizationId, ProjectId, SessionId, UserId } from './ids.ts'
import {
  ALL_PERMISSIONS,
  includes,
  namesOf,
  type Permission,
  type PermissionSet,
  permissionSet,
} from './permissions.ts'

export const PLANS = ['free', 'pro', 'custom', 'pay_as_you_go'] as const
export type Plan = (typeof PLANS)[number]

/** What a caller may do in one organization, or in one project of it. */
export interface Grant {
  orgId: OrganizationId
  /** Set where the grant ends at one project: a key's. */
  projectId?: ProjectId
  plan: Plan
  permissions: PermissionSet
}

/** Where a request came from. */
export interface CallerOrigin {
  address: string
  agent?: string
}

/** Who is asking, as established from their credential. */
export interface Caller {
  kind: 'secret_key' | 'publishable_key' | 'user' | 'operator'
  /** The key's or the user's id; written into `created_by`. */
  id: KeyId | UserId | 'operator'
  /** The sign-in behind a bearer token. */
  sessionId?: SessionId
  /** Unknown where nobody asked over HTTP. */
  from?: CallerOrigin
  grants: readonly Grant[]
}

/** The person at the machine itself: the command line and the first start. */
export const OPERATOR: Caller = { kind: 'operator', id: 'operator', grants: [] }

/** An organization as a whole, or one project of it. */
export interface Scope {
  orgId: OrganizationId
  projectId?: ProjectId
}

/** The first line of every use case: throws 403 unless the caller holds the permission there. */
export function allow(caller: Caller, permission: Permission, scope: Scope): void {
  if (!isAllowed(caller, permission, scope)) throw missing(caller, permission, scope)
}

/** Where more is shown to those who hold a permission, and nobody is refused. */
export function isAllowed(caller: Caller, permission: Permission, scope: Scope): boolean {
  return holds(caller, permissionSet([permission]), scope)
}

/** Names what is missing to those who belong there; to others the answer is as for what does not exist. */
function missing(caller: Caller, permission: Permission, { orgId, projectId }: Scope): Refusal {
  const there = caller.grants.filter((grant) => grant.orgId === orgId)
  if (there.some((grant) => grant.projectId === undefined || grant.projectId === projectId))
    return forbidden(`needs ${permission}`)
  // A credential of one project, and this is about another, or about what belongs to none.
  const isForAll = there.length > 0 && projectId === undefined
  return isForAll ? forbidden(`needs ${permission} in the whole organization`) : forbidden()
}

const MOST_NAMED = 5

/** Nobody hands out what they do not hold themselves. */
export function allowGranting(caller: Caller, permissions: PermissionSet, scope: Scope): void {
  if (holds(caller, permissions, scope)) return
  const lacking = namesOf(permissions).filter((name) => !holds(caller, permissionSet([name]), scope))
  const others = lacking.length - MOST_NAMED
  throw forbidden(
    `this would grant permissions that you do not hold yourself: ${lacking.slice(0, MOST_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
  )
}

function holds(caller: Caller, permissions: PermissionSet, scope: Scope): boolean {
  if (caller.kind === 'operator') return true
  return caller.grants.some(
    (grant) =>
      grant.orgId === scope.orgId &&
      (grant.projectId === undefined || grant.projectId === scope.projectId) &&
      includes(grant.permissions, permissions),
  )
}

/** Owners and unrestricted keys; used where something would lift all restrictions. */
export function allowEverything(caller: Caller, scope: Scope): void {
  allowGranting(caller, ALL_PERMISSIONS, scope)
}

/** For what is the same everywhere: throws 403 unless the caller holds the permission in any organization. */
export function allowSomewhere(caller: Caller, permission: Permission): void {
  if (caller.kind === 'operator') return
  const wanted = permissionSet([permission])
  if (!caller.grants.some((grant) => includes(grant.permissions, wanted)))
    throw forbidden(`needs ${permission}`)
}

/**
 * For lists over an organization: throws 403 unless the caller holds the permission somewhere in it,
 * and answers the one project they are confined to, if they are.
 */
export function allowWithin(
  caller: Caller,
  permission: Permission,
  orgId: OrganizationId,
): ProjectId | undefined {
  if (caller.kind === 'operator') return undefined
  const wanted = permissionSet([permission])
  const grant = caller.grants.find((g) => g.orgId === orgId && includes(g.permissions, wanted))
  if (!grant)
    throw caller.grants.some((g) => g.orgId === orgId) ? forbidden(`needs ${permission}`) : forbidden()
  return grant.projectId
}

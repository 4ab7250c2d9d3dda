import { createHash, randomBytes } from 'node:crypto'
import { allow, allowEverything, allowGranting, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { findPolicies } from '../policies/store.ts'
import type { Invitation, NewInvitation } from './schemas.ts'
import { isMemberByEmail, upsertInvitation } from './store.ts'

export async function inviteMember(
  caller: Caller,
  orgId: string,
  wanted: NewInvitation,
  { sql, lifetimeSeconds }: { sql: Sql; lifetimeSeconds: number },
): Promise<Invitation> {
  allow(caller, 'members:write', { orgId })
  const role = wanted.role ?? 'member'
  if (role === 'owner') allowEverything(caller, { orgId })
  const policyIds = wanted.policy_ids ?? []
  const policies = await findPolicies(sql, orgId, policyIds)
  if (policies.length < policyIds.length) throw notFound('no such policy')
  allowGranting(caller, permissionSet(policies.flatMap((policy) => policy.permissions)), { orgId })
  const email = wanted.email.toLowerCase()
  if (await isMemberByEmail(sql, orgId, email)) throw conflict('this address belongs to a member already')

  const id = newId('invitation')
  const secret = randomBytes(32).toString('base64url')
  const invitation = await upsertInvitation(sql, {
    id,
    org_id: orgId,
    email,
    role,
    policy_ids: policyIds,
    invited_by: caller.id,
    token_hash: hashOfToken(secret),
    lifetimeSeconds,
  })
  return { ...invitation, token: `${id}.${secret}` }
}

export function hashOfToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

import { createHash, randomBytes } from 'node:crypto'
import { allow, allowEverything, allowGranting, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import { findPolicies } from '../policies/store.ts'
import { lockAddress } from '../users/store.ts'
import { type InvitationMail, mailInvitation } from './mail-invitation.ts'
import type { Invitation, NewInvitation, Role } from './schemas.ts'
import { findInvitation, isMemberByEmail, upsertInvitation } from './store.ts'

export interface InviteDeps {
  sql: Sql
  lifetimeSeconds: number
  /** Undefined where no mail is set up: then whoever invites passes the token on. */
  mail: InvitationMail | undefined
}

export async function inviteMember(
  caller: Caller,
  orgId: string,
  wanted: NewInvitation,
  { sql, lifetimeSeconds, mail }: InviteDeps,
): Promise<Invitation> {
  allow(caller, 'members:write', { orgId })
  const role = wanted.role ?? 'member'
  const policyIds = wanted.policy_ids ?? []
  const granted = await allowInviting(caller, { orgId, role, policyIds }, sql)
  if (granted < policyIds.length) throw notFound('no such policy')
  const email = wanted.email.toLowerCase()
  await refuseInvitation(caller, { orgId, email, role }, sql)

  const id = newId('invitation')
  const secret = randomBytes(32).toString('base64url')
  const token = `${id}.${secret}`
  // Before it is stored: an earlier invitation stands until the new one is on its way.
  if (mail) await mailInvitation({ token, orgId, email, role, lifetimeSeconds }, { sql, ...mail })
  const invitation = await sql.begin(async (tx) => {
    await lockAddress(tx, email)
    await refuseInvitation(caller, { orgId, email, role }, tx)
    return upsertInvitation(tx, {
      id,
      org_id: orgId,
      email,
      role,
      policy_ids: policyIds,
      invited_by: caller.id,
      token_hash: hashOfToken(secret),
      mailed: mail !== undefined,
      lifetimeSeconds,
    })
  })
  return mail ? invitation : { ...invitation, token }
}

/** Throws where an address is a member's, or was invited to more than the caller may take away or would give. */
async function refuseInvitation(
  caller: Caller,
  { orgId, email, role }: { orgId: string; email: string; role: Role },
  sql: Queryable,
): Promise<void> {
  if (await isMemberByEmail(sql, orgId, email)) throw conflict('this address belongs to a member already')
  const open = await findInvitation(sql, orgId, { email })
  if (!open) return
  await allowInviting(caller, { orgId, role: open.role, policyIds: open.policy_ids }, sql)
  if (open.role === 'owner' && role !== 'owner')
    throw conflict('this address is invited as an owner: withdraw that invitation first')
}

/** Throws 403 unless the caller holds what the invitation gives. Answers how many of its policies there are. */
export async function allowInviting(
  caller: Caller,
  { orgId, role, policyIds }: { orgId: string; role: Role; policyIds: string[] },
  sql: Queryable,
): Promise<number> {
  if (role === 'owner') allowEverything(caller, { orgId })
  const policies = await findPolicies(sql, orgId, policyIds)
  allowGranting(caller, permissionSet(policies.flatMap((policy) => policy.permissions)), { orgId })
  return policies.length
}

export function hashOfToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

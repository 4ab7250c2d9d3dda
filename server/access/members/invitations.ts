import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { allow, allowEverything, allowGranting, type Caller, type CallerOrigin } from '../../base/caller.ts'
import { conflict, notFound, unauthorized, unavailable } from '../../base/errors.ts'
import type { InvitationId, OrganizationId, PolicyId, UserId } from '../../base/ids.ts'
import { idPattern, newId } from '../../base/ids.ts'
import { permissionSet } from '../../base/permissions.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import { type Actor, audit } from '../audit/audit.ts'
import { pageLink } from '../links/account-links.ts'
import { organizationName } from '../organizations/store.ts'
import { auditAttached } from '../policies/attachments.ts'
import { attachPolicy, findPolicies } from '../policies/store.ts'
import { type AttemptDeps, countAttempt, countStranger } from '../tokens/count-attempt.ts'
import { hashPassword, matchingAccount, refuseWeakPassword } from '../tokens/passwords.ts'
import { type Account, findProvedAccount, insertUser, lockAddress } from '../users/store.ts'
import { takeOverAddress } from '../users/users.ts'
import { type InvitationMail, mailInvitation } from './mail-invitation.ts'
import type { Invitation, NewInvitation, Role, ShownInvitation } from './schemas.ts'
import * as store from './store.ts'

export interface InviteDeps {
  sql: Sql
  lifetimeSeconds: number
  /** Where the public finds the service. */
  baseUrl: string
  /** Undefined where no mail is set up: then whoever invites passes the token on. */
  mail: InvitationMail | undefined
}

export async function inviteMember(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewInvitation,
  { sql, lifetimeSeconds, baseUrl, mail: mailed }: InviteDeps,
): Promise<Invitation> {
  allow(caller, 'members:write', { orgId })
  const mail = wanted.as_link ? undefined : mailed
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
    const about = { orgId, resource: id, name: email, after: { role, policy_ids: policyIds } }
    await audit(tx, caller, { ...about, action: 'member.invited' })
    return store.upsertInvitation(tx, {
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
  return mail ? invitation : { ...invitation, token, link: pageLink(baseUrl, 'accept#token', token) }
}

/** Throws where an address is a member's, or was invited to more than the caller may take away or would give. */
async function refuseInvitation(
  caller: Caller,
  { orgId, email, role }: { orgId: OrganizationId; email: string; role: Role },
  sql: Queryable,
): Promise<void> {
  if (await store.isMemberByEmail(sql, orgId, email))
    throw conflict('this address belongs to a member already')
  const open = await store.findInvitation(sql, orgId, { email })
  if (!open) return
  await allowInviting(caller, { orgId, role: open.role, policyIds: open.policy_ids }, sql)
  if (open.role === 'owner' && role !== 'owner')
    throw conflict('this address is invited as an owner: withdraw that invitation first')
}

/** Throws 403 unless the caller holds what the invitation gives. Answers how many of its policies there are. */
export async function allowInviting(
  caller: Caller,
  { orgId, role, policyIds }: { orgId: OrganizationId; role: Role; policyIds: PolicyId[] },
  sql: Queryable,
): Promise<number> {
  if (role === 'owner') allowEverything(caller, { orgId })
  const policies = await findPolicies(sql, orgId, policyIds)
  allowGranting(caller, permissionSet(policies.flatMap((policy) => policy.permissions)), { orgId })
  return policies.length
}

function hashOfToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Those that can still be accepted. */
export async function listInvitations(caller: Caller, orgId: OrganizationId, page: Page, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  return store.listInvitations(sql, orgId, page)
}

/** Takes who could have made the invitation: else a weaker one could be put in its place. */
export async function withdrawInvitation(
  caller: Caller,
  orgId: OrganizationId,
  invitationId: InvitationId,
  sql: Sql,
): Promise<void> {
  allow(caller, 'members:write', { orgId })
  const invitation = await store.findInvitation(sql, orgId, { id: invitationId })
  if (!invitation) throw notFound('no such invitation')
  const { role, policy_ids: policyIds } = invitation
  await allowInviting(caller, { orgId, role, policyIds }, sql)
  await sql.begin(async (tx) => {
    await store.deleteInvitation(tx, invitationId)
    const before = { role, policy_ids: policyIds }
    const about = { orgId, resource: invitationId, name: invitation.email, before }
    await audit(tx, caller, { ...about, action: 'member.invitation_withdrawn' })
  })
}

const INVITATION_ID = new RegExp(idPattern('invitation'))
const INVALID = 'the invitation is unknown, used or expired'

/**
 * Makes the invited a member and answers the user's id. Who has a proved account joins with it, by its password. Everybody
 * else gets an account with the password given: where the token came by mail, it shows that the address is theirs; where
 * whoever invited had the token too, it shows nothing, and the account is good for that organization only.
 */
export async function acceptInvitation(
  { token, password, from }: { token: string; password: string; from: CallerOrigin },
  deps: AttemptDeps & { sql: Sql },
): Promise<UserId> {
  const { sql } = deps
  const invitation = await standingInvitation(token, sql)
  const { id, email, mailed, org_id: orgId } = invitation
  refuseWeakPassword(password)
  await countAttempt({ account: email, from: from.address }, deps)
  await countStranger({ account: email, from: from.address }, deps)

  // Passwords take long to check, so that is done before the transaction.
  const proved = await findProvedAccount(sql, email)
  const theirs = await matchingAccount(password, proved ? [proved] : [])
  if (proved && mailed && !theirs) throw wrongPassword(proved)
  const passwordHash = theirs ? null : await hashPassword(password)

  return sql.begin(async (tx) => {
    await lockAddress(tx, email)
    const isTaken = (await store.takeInvitation(tx, id)) !== undefined
    if (!isTaken || (await store.isMemberByEmail(tx, orgId, email))) throw unauthorized(INVALID)
    const now = await findProvedAccount(tx, email)
    if (now?.id !== proved?.id || now?.password_hash !== proved?.password_hash)
      throw unavailable('the account has changed just now: ask again')
    const userId = theirs?.id ?? newId('user')
    if (!theirs) await insertUser(tx, { id: userId, email, passwordHash, confinedTo: mailed ? null : orgId })
    if (mailed) await takeOverAddress(tx, { email, userId }, { id: userId, from })
    await joinByInvitation(tx, invitation, { id: userId, from })
    return userId
  })
}

/** What somebody is asked to accept, for who has its token. */
export async function showInvitation(token: string, sql: Sql): Promise<ShownInvitation> {
  const { org_id: orgId, email, role, expires_at } = await standingInvitation(token, sql)
  return { organization: await organizationName(sql, orgId), email, role, expires_at }
}

async function standingInvitation(token: string, sql: Sql) {
  const [id = '', secret = ''] = token.split('.')
  const invitation = INVITATION_ID.test(id) ? await store.findInvitationToken(sql, id) : undefined
  if (!invitation || !timingSafeEqual(invitation.token_hash, hashOfToken(secret))) throw unauthorized(INVALID)
  return invitation
}

/** Told to nobody but who reads the address's mail: to others it would tell which addresses have accounts. */
function wrongPassword({ password_hash }: Account) {
  return unauthorized(
    password_hash
      ? 'wrong password: give that of the account that you have'
      : 'your account has no password: an operator can give it one',
  )
}

/** Turns an invitation, taken in the same transaction, into a membership with its policies. */
export async function joinByInvitation(
  tx: Transaction,
  invitation: Invitation,
  joiner: Actor & { id: UserId },
): Promise<void> {
  const { org_id: orgId, email, role } = invitation
  const isNew = await store.insertMember(tx, orgId, joiner.id, role)
  // Whoever joins is who acts: nobody else holds the invitation. Their address may have made them a member just now.
  if (isNew)
    await audit(tx, joiner, {
      orgId,
      action: 'member.joined',
      resource: joiner.id,
      name: email,
      after: { role },
    })
  const to = { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: joiner.id } as const
  // A policy that was deleted in the meantime grants nothing any more.
  for (const policy of await findPolicies(tx, orgId, invitation.policy_ids)) {
    await attachPolicy(tx, { id: newId('attachment'), policyId: policy.id, orgId, to })
    await auditAttached(tx, joiner, { policy, to })
  }
}

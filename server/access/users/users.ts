import type { Caller } from '../../base/caller.ts'
import { conflict, forbidden, notFound } from '../../base/errors.ts'
import type { OrganizationId, SessionId, UserId } from '../../base/ids.ts'
import { isId, newId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Queryable, Sql, Transaction } from '../../platform/postgres/client.ts'
import { type Actor, audit } from '../audit/audit.ts'
import type { Role } from '../members/schemas.ts'
import { insertMember, isMemberByEmail, takeOverMemberships } from '../members/store.ts'
import { organizationExists } from '../organizations/store.ts'
import { auditAttached } from '../policies/attachments.ts'
import { hashPassword, refuseWeakPassword } from '../tokens/passwords.ts'
import type { CurrentUser } from './schemas.ts'
import * as store from './store.ts'

export interface NewUser {
  email: string
  password: string
  orgId: OrganizationId
  role: Role
}

/** The operator vouches for the address. */
export async function createUser(caller: Caller, wanted: NewUser, sql: Sql): Promise<store.User> {
  allowOperator(caller)
  refuseWeakPassword(wanted.password)
  const passwordHash = await hashPassword(wanted.password)
  const email = wanted.email.toLowerCase()
  const id = newId('user')
  const { orgId, role } = wanted
  return sql.begin(async (tx) => {
    if (!(await organizationExists(tx, orgId))) throw notFound('no such organization')
    await store.lockAddress(tx, email)
    if ((await store.findProvedAccount(tx, email)) || (await isMemberByEmail(tx, orgId, email)))
      throw conflict('there is a user with this address already')
    await store.insertUser(tx, { id, email, passwordHash, confinedTo: null })
    await insertMember(tx, orgId, id, role)
    await audit(tx, caller, { orgId, action: 'member.joined', resource: id, name: email, after: { role } })
    return (await store.findUser(tx, id))!
  })
}

export async function listUsers(caller: Caller, sql: Sql) {
  allowOperator(caller)
  return store.listUsers(sql)
}

export async function showCurrentUser(caller: Caller, sql: Sql): Promise<CurrentUser> {
  if (caller.kind !== 'user' || !isId('user', caller.id))
    throw forbidden('the token is of an API key, not of a user')
  const user = await store.findUser(sql, caller.id)
  if (!user) throw forbidden()
  const organizations = await store.organizationsOfUser(sql, caller.id)
  return {
    ...user,
    organizations: organizations.map((organization) => ({
      ...organization,
      permissions: organization.role === 'owner' ? ['*:*'] : organization.permissions,
    })),
  }
}

export async function changePassword(
  caller: Caller,
  { email, password, orgId }: { email: string; password: string; orgId: OrganizationId | undefined },
  sql: Sql,
): Promise<void> {
  allowOperator(caller)
  const user = await theAccount(sql, email.toLowerCase(), orgId)
  if (!user) throw notFound('no such user')
  await setPassword(user.id, password, sql)
}

/** For whoever has asked whether it may be set. */
export async function setPassword(userId: UserId, password: string, sql: Sql, by?: SessionId): Promise<void> {
  refuseWeakPassword(password)
  const passwordHash = await hashPassword(password)
  await sql.begin((tx) => store.setPassword(tx, userId, passwordHash, by))
}

/**
 * The account that an operator means by an address: of the organization that they name, else the proved one, else the only
 * one there is.
 */
export async function theAccount(
  sql: Queryable,
  email: string,
  orgId: OrganizationId | undefined,
): Promise<store.Account | undefined> {
  const accounts = await store.accountsOf(sql, email, orgId)
  const named = accounts.find(({ confined_to }) => orgId !== undefined && confined_to === orgId)
  const proved = accounts.find(({ confined_to }) => confined_to === null)
  if (!named && !proved && accounts.length > 1)
    throw conflict('several accounts have this address: name the organization')
  return named ?? proved ?? accounts[0]
}

/**
 * The address turns out to be this user's. Organizations that invited it meant them, so they get what accounts of the same
 * address were given there. Those accounts end with their passwords and sign-ins: nobody knows who made them.
 */
export async function takeOverAddress(
  tx: Transaction,
  { email, userId }: { email: string; userId: UserId },
  actor: Actor,
): Promise<void> {
  const { memberships, policies } = await takeOverMemberships(tx, email, userId)
  await store.deleteConfinedAccounts(tx, email)
  for (const { org_id: orgId, user_id: replaced, role, status, had } of memberships) {
    const theirs = { orgId, resource: userId, name: email }
    if (had === null) await audit(tx, actor, { ...theirs, action: 'member.joined', after: { role } })
    else if (role === 'owner' && had !== role)
      await audit(tx, actor, {
        ...theirs,
        action: 'member.role_changed',
        before: { role: had },
        after: { role },
      })
    const before = { role, status }
    await audit(tx, actor, { ...theirs, action: 'member.removed', resource: replaced, before })
  }
  const to = { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: userId } as const
  for (const policy of policies) await auditAttached(tx, actor, { policy, to })
}

/** The operator vouches for whoever has the password of an account. */
export async function proveAddress(
  caller: Caller,
  { email, orgId }: { email: string; orgId: OrganizationId | undefined },
  sql: Sql,
): Promise<store.User> {
  allowOperator(caller)
  return sql.begin(async (tx) => {
    await store.lockAddress(tx, email)
    if (await store.findProvedAccount(tx, email)) throw conflict('this address has a proved account already')
    const account = await theAccount(tx, email, orgId)
    if (!account) throw notFound('no such user')
    await store.liftConfinement(tx, account.id)
    await takeOverAddress(tx, { email, userId: account.id }, caller)
    const { id, created_at, updated_at } = account
    return { id, email, created_at, updated_at }
  })
}

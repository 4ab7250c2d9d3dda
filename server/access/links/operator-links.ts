import type { Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { OrganizationId } from '../../base/ids.ts'
import { allowOperator } from '../../base/operator.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { hasSignedIn } from '../tokens/store.ts'
import { findProvedAccount } from '../users/store.ts'
import { theAccount } from '../users/users.ts'
import { newLink, pageLink } from './account-links.ts'
import { RESET_SECONDS } from './mail-reset.ts'

interface LinkDeps {
  sql: Sql
  /** Where the public finds the service. */
  baseUrl: string
}

interface MadeLink {
  email: string
  link: string
  expires_in: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Links by which a user comes in, which the person at the machine makes and passes on. */
const KINDS = {
  sign_in: { page: 'sign-in#link', lifetimeSeconds: HOUR },
  reset: { page: 'reset#token', lifetimeSeconds: RESET_SECONDS },
} as const

const linkMaker =
  (kind: keyof typeof KINDS) =>
  async (
    caller: Caller,
    { email, orgId }: { email: string; orgId: OrganizationId | undefined },
    { sql, baseUrl }: LinkDeps,
  ): Promise<MadeLink> => {
    allowOperator(caller)
    const user = await theAccount(sql, email.toLowerCase(), orgId)
    if (!user) throw notFound('no such user')
    const { page, lifetimeSeconds } = KINDS[kind]
    const token = await newLink(sql, { kind, userId: user.id, lifetimeSeconds })
    return { email: user.email, link: pageLink(baseUrl, page, token), expires_in: lifetimeSeconds }
  }

/** A link that signs a user in once, without their password. */
export const makeSignInLink = linkMaker('sign_in')

/** A link that lets a user set a new password. */
export const makeResetLink = linkMaker('reset')

/** For the owner that the first start made, until they have signed in; undefined from then on, or once they are gone. */
export async function ownerSignInLink(
  caller: Caller,
  email: string,
  { sql, baseUrl }: LinkDeps,
): Promise<string | undefined> {
  allowOperator(caller)
  const owner = await findProvedAccount(sql, email)
  if (!owner || (await hasSignedIn(sql, owner.id))) return undefined
  const token = await newLink(sql, { kind: 'sign_in', userId: owner.id, lifetimeSeconds: DAY })
  return pageLink(baseUrl, KINDS.sign_in.page, token)
}

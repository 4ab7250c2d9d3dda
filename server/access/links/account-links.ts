import { createHash, randomBytes } from 'node:crypto'
import { unauthorized } from '../../base/errors.ts'
import type { UserId } from '../../base/ids.ts'
import type { Queryable } from '../../platform/postgres/client.ts'
import * as store from './store.ts'

const BYTES = 32

interface NewLink {
  kind: store.LinkKind
  userId: UserId
  lifetimeSeconds: number
  mailed?: boolean
}

/** A token that stands in for somebody's password once. Only its hash is kept. */
export async function newLink(sql: Queryable, link: NewLink): Promise<string> {
  const { kind, userId, lifetimeSeconds, mailed = false } = link
  const token = randomBytes(BYTES).toString('base64url')
  await store.deleteExpiredLinks(sql)
  await store.insertLink(sql, { hash: hashOf(token), kind, user_id: userId, mailed, lifetimeSeconds })
  return token
}

/** Whose link it is, without using it. */
export async function standingLink(sql: Queryable, kind: store.LinkKind, token: string) {
  const link = await store.findLink(sql, kind, hashOf(token))
  if (!link) throw invalidLink()
  return link
}

/** Whose link it was. The account's other links end with it: none is left lying in a mailbox or a terminal. */
export async function useLink(sql: Queryable, kind: store.LinkKind, token: string) {
  const link = await store.takeLink(sql, kind, hashOf(token))
  if (!link) throw invalidLink()
  await store.deleteLinksOf(sql, link.user_id)
  return link
}

/** For one that nobody was told of. */
export async function dropLink(sql: Queryable, token: string): Promise<void> {
  await store.deleteLink(sql, hashOf(token))
}

/** The same for all: what is wrong with a link would tell whether there ever was one. */
export const invalidLink = () => unauthorized('the link is unknown, used or expired')

/** It has 256 random bits, so that a plain hash keeps it: nobody finds it by trying. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** In the fragment, which browsers send to nobody: no log and no proxy sees it. */
export function pageLink(
  baseUrl: string,
  page: 'sign-in#link' | 'reset#token' | 'accept#token',
  token: string,
) {
  return `${baseUrl}/console/${page}=${token}`
}

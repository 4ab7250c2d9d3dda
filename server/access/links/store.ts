import type { UserId } from '../../base/ids.ts'
import type { Queryable } from '../../platform/postgres/client.ts'

/** What a link is good for; one of another kind is unknown. */
export type LinkKind = 'sign_in' | 'reset'

export interface LinkRecord {
  user_id: UserId
  /** Whether nobody but the account's address was sent it. */
  mailed: boolean
}

export async function insertLink(
  sql: Queryable,
  link: LinkRecord & { hash: Buffer; kind: LinkKind; lifetimeSeconds: number },
): Promise<void> {
  await sql`
    insert into account_links (hash, kind, user_id, mailed, expires_at)
    values (${link.hash}, ${link.kind}, ${link.user_id}, ${link.mailed},
            now() + make_interval(secs => ${link.lifetimeSeconds}))`
}

/** One that still stands. */
export async function findLink(
  sql: Queryable,
  kind: LinkKind,
  hash: Buffer,
): Promise<LinkRecord | undefined> {
  const [row] = await sql<LinkRecord[]>`
    select user_id, mailed from account_links where hash = ${hash} and kind = ${kind} and expires_at > now()`
  return row
}

/** As `findLink`; it cannot be taken twice. */
export async function takeLink(
  sql: Queryable,
  kind: LinkKind,
  hash: Buffer,
): Promise<LinkRecord | undefined> {
  const [row] = await sql<LinkRecord[]>`
    delete from account_links where hash = ${hash} and kind = ${kind} and expires_at > now()
    returning user_id, mailed`
  return row
}

export async function deleteLink(sql: Queryable, hash: Buffer): Promise<void> {
  await sql`delete from account_links where hash = ${hash}`
}

export async function deleteLinksOf(sql: Queryable, userId: UserId): Promise<void> {
  await sql`delete from account_links where user_id = ${userId}`
}

export async function deleteExpiredLinks(sql: Queryable): Promise<void> {
  await sql`delete from account_links where hash in (select hash from account_links where expires_at <= now() limit 100)`
}

import type { KeyId, SessionId, UserId } from '../../base/ids.ts'
import type { Page } from '../../http/pagination.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'

export type Subject = { userId: UserId } | { keyId: KeyId; secretHash: Buffer }

export async function insertSession(
  sql: Queryable,
  id: SessionId,
  subject: Subject,
  lifetimeSeconds: number,
  userAgent = '',
): Promise<void> {
  const userId = 'userId' in subject ? subject.userId : null
  const keyId = 'keyId' in subject ? subject.keyId : null
  const secretHash = 'keyId' in subject ? subject.secretHash : null
  await sql`
    insert into sessions (id, user_id, key_id, secret_hash, user_agent, expires_at)
    values (${id}, ${userId}, ${keyId}, ${secretHash}, ${userAgent},
      now() + make_interval(secs => ${lifetimeSeconds}))`
}

/** Moves a session to its next refresh token; undefined where this one works no longer. */
export async function advanceSession(
  sql: Sql,
  {
    sessionId,
    generation,
    lifetimeSeconds,
  }: { sessionId: SessionId; generation: number; lifetimeSeconds: number },
): Promise<{ subject: string } | undefined> {
  const [row] = await sql<{ subject: string }[]>`
    update sessions set generation = generation + 1, last_used_at = now(), expires_at = now() + make_interval(secs => ${lifetimeSeconds})
    where id = ${sessionId} and generation = ${generation} and expires_at > now()
      and (key_id is null or exists (
        select from api_key_secrets s where s.key_id = sessions.key_id and s.hash = sessions.secret_hash
          and (s.expires_at is null or s.expires_at > now())))
    returning coalesce(user_id, key_id) as subject`
  return row
}

/** Keeps a user's session alive; answers whose it is, undefined where it has ended. */
export async function touchSession(
  sql: Sql,
  sessionId: SessionId,
  lifetimeSeconds: number,
): Promise<UserId | undefined> {
  const [row] = await sql<{ user_id: UserId }[]>`
    update sessions set last_used_at = now(), expires_at = now() + make_interval(secs => ${lifetimeSeconds})
    where id = ${sessionId} and user_id is not null and expires_at > now() returning user_id`
  return row?.user_id
}

export function sessionsOf(sql: Sql, userId: UserId, { limit, offset }: Page) {
  return sql<{ id: SessionId; user_agent: string; created_at: string; last_used_at: string }[]>`
    select id, user_agent, created_at, last_used_at from sessions
    where user_id = ${userId} and expires_at > now() order by last_used_at desc, id
    limit ${limit} offset ${offset}`
}

export async function deleteSessionOf(sql: Sql, userId: UserId, sessionId: SessionId): Promise<boolean> {
  const rows = await sql`delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`
  return rows.length > 0
}

/** All but one, where one is named. */
export async function deleteSessionsOf(sql: Queryable, userId: UserId, but?: SessionId): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id is distinct from ${but ?? null}`
}

/** Answers which refresh token it was at; undefined where it had ended already. */
export async function deleteSession(
  sql: Sql,
  sessionId: SessionId,
): Promise<{ generation: number } | undefined> {
  const [row] = await sql<{ generation: number }[]>`
    delete from sessions where id = ${sessionId} returning generation`
  return row
}

export async function deleteExpiredSessions(sql: Sql): Promise<void> {
  await sql`delete from sessions where id in (select id from sessions where expires_at <= now() limit 100)`
}

/** Which of these accounts have one of these hashes. */
export async function findKnownTo(sql: Sql, userIds: UserId[], hashes: Buffer[]): Promise<UserId[]> {
  const texts = hashes.map((hash) => hash.toString('hex'))
  const rows = await sql<{ user_id: UserId }[]>`
    select user_id from known_addresses where user_id = any(${userIds}) and encode(hash, 'hex') = any(${texts})`
  return rows.map((row) => row.user_id)
}

const KEPT_ADDRESSES = 20

/** The latest of each account are kept. */
export async function keepKnownAddress(sql: Sql, userId: UserId, hash: Buffer): Promise<void> {
  await sql`
    insert into known_addresses (user_id, hash) values (${userId}, ${hash})
    on conflict (user_id, hash) do update set last_seen = now()`
  await sql`
    delete from known_addresses where user_id = ${userId} and hash not in (
      select hash from known_addresses where user_id = ${userId} order by last_seen desc limit ${KEPT_ADDRESSES})`
}

/** Whether anybody ever has. */
export async function anybodySignedIn(sql: Sql): Promise<boolean> {
  const rows = await sql`select from known_addresses limit 1`
  return rows.length > 0
}

/** Each sign-in leaves where it came from. */
export async function hasSignedIn(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql`select from known_addresses where user_id = ${userId} limit 1`
  return rows.length > 0
}

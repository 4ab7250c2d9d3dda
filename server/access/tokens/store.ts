import type { KeyId, SessionId, UserId } from '../../base/ids.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'

export type Subject = { userId: UserId } | { keyId: KeyId; secretHash: Buffer }

export async function insertSession(
  sql: Queryable,
  id: SessionId,
  subject: Subject,
  lifetimeSeconds: number,
): Promise<void> {
  const userId = 'userId' in subject ? subject.userId : null
  const keyId = 'keyId' in subject ? subject.keyId : null
  const secretHash = 'keyId' in subject ? subject.secretHash : null
  await sql`
    insert into sessions (id, user_id, key_id, secret_hash, expires_at)
    values (${id}, ${userId}, ${keyId}, ${secretHash}, now() + make_interval(secs => ${lifetimeSeconds}))`
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
    update sessions set generation = generation + 1, expires_at = now() + make_interval(secs => ${lifetimeSeconds})
    where id = ${sessionId} and generation = ${generation} and expires_at > now()
      and (key_id is null or exists (
        select from api_key_secrets s where s.key_id = sessions.key_id and s.hash = sessions.secret_hash
          and (s.expires_at is null or s.expires_at > now())))
    returning coalesce(user_id, key_id) as subject`
  return row
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

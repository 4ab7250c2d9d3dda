import type { Queryable, Sql } from '../../platform/postgres/client.ts'

export type Subject = { userId: string } | { keyId: string; secretHash: Buffer }

export async function insertSession(
  sql: Queryable,
  id: string,
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

/** Moves a session to its next refresh token; undefined where this one was used before. */
export async function advanceSession(
  sql: Sql,
  {
    sessionId,
    generation,
    lifetimeSeconds,
  }: { sessionId: string; generation: number; lifetimeSeconds: number },
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

export async function deleteSession(sql: Sql, sessionId: string): Promise<void> {
  await sql`delete from sessions where id = ${sessionId}`
}

export async function deleteExpiredSessions(sql: Sql): Promise<void> {
  await sql`delete from sessions where id in (select id from sessions where expires_at <= now() limit 100)`
}

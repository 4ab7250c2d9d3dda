import { type MessageId, newId, type ProjectId, type WebhookId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { MessageKind } from './kinds.ts'

/** Cheaper than to find nothing in either way: most of the time nothing happens. */
export async function lookForWork(sql: Sql): Promise<{ isUntold: boolean; isPending: boolean }> {
  const [work] = await sql<{ untold: boolean; pending: boolean }[]>`
    select exists (select from webhook_outbox) as untold,
      exists (select from webhook_deliveries where state = 'pending') as pending`
  return { isUntold: work!.untold, isPending: work!.pending }
}

export interface UntoldMessage {
  seq: number
  kind: MessageKind
  project_id: ProjectId | null
  resource: string
  data: Record<string, unknown>
}

/** Messages that came since, the oldest first. */
export function untoldMessages(sql: Sql, most: number): Promise<UntoldMessage[]> {
  return sql<UntoldMessage[]>`
    select seq, kind, project_id, resource, data from webhook_outbox order by seq limit ${most}`
}

/**
 * Moves messages out of the outbox, and writes down which endpoints are told of them, in one transaction: each
 * endpoint is told once of each. Messages of what is gone are told to nobody. Places go on after the last one, also
 * after those that a process of an earlier version gives meanwhile. Answers how many messages there were.
 */
export async function tellEndpoints(
  sql: Sql,
  messages: Pick<UntoldMessage, 'seq' | 'data'>[],
  tryForSeconds: number,
): Promise<number> {
  if (messages.length === 0) return 0
  const given = messages.map(({ seq, data }) => ({ seq, id: newId('message'), data: storable(data) }))
  return sql.begin(async (tx) => {
    // One at a time: two would not tell in order of what they took.
    const [lock] = await tx<{ held: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('tell webhook endpoints')) as held`
    if (!lock!.held) return 0
    const [done] = await tx<{ untold: number }[]>`
      with given as materialized (
        select * from jsonb_to_recordset(${tx.json(given as never)}) as n (seq bigint, id text, data jsonb)),
      untold as (
        delete from webhook_outbox o using given g where o.seq = g.seq
        returning o.seq, g.id, o.org_id, o.project_id, o.kind, o.resource, g.data, o.happened_at),
      ended as (
        insert into webhook_places (last) select count(*) from untold
        on conflict (is_only) do update
        set last = greatest(webhook_places.last, (select max(told) from webhook_messages)) + excluded.last
        returning last),
      told as (
        insert into webhook_messages (seq, id, told, org_id, project_id, kind, resource, data, happened_at)
        select u.seq, u.id,
          (select last from ended) - (select count(*) from untold) + row_number() over (order by u.seq),
          u.org_id, u.project_id, u.kind, u.resource, u.data, u.happened_at
        from untold u
        where u.org_id in (select id from organizations)
          and (u.project_id is null or u.project_id in (select id from projects))
        order by u.seq
        returning seq, org_id, project_id, kind, resource, happened_at),
      due as (
        insert into webhook_deliveries (endpoint_id, seq, resource, give_up_at)
        select e.id, m.seq, m.resource, now() + make_interval(secs => ${tryForSeconds})
        from told m
        join projects p on p.org_id = m.org_id and p.deleted_at is null and (m.project_id is null or p.id = m.project_id)
        join webhook_endpoints e on e.project_id = p.id
        where e.disabled_at is null and e.created_at <= m.happened_at
          and (e.kinds = '{}' or m.kind = any(e.kinds))
        order by m.seq)
      select count(*) as untold from untold`
    return done!.untold
  })
}

/** A name may hold NUL, which the database's JSON cannot: one such record would keep all messages from being told. */
function storable<T>(data: T): T {
  const text = JSON.stringify(data)
  return JSON.parse(text, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value,
  )
}

export interface ClaimedDelivery {
  endpoint_id: WebhookId
  seq: number
  attempt: number
  /** Of the tries, those that pauses do not grow by. */
  earlier_attempts: number
  give_up_at: string
  url: string
  secrets: string[]
  message_id: MessageId
  kind: MessageKind
  happened_at: string
  data: Record<string, unknown>
}

export interface ClaimOptions {
  /** Those that have enough under way. */
  busy: WebhookId[]
  mostOfEndpoint: number
  leaseSeconds: number
}

/**
 * Takes deliveries that are due, some of each endpoint, and of those about the same thing only the first: the next one
 * waits until that has been delivered, or given up. The first is looked for by the state as the index of lines has it,
 * which leaves the index of what is due out: each row would be compared with all of its endpoint.
 */
export async function claimDue(
  sql: Sql,
  { busy, mostOfEndpoint, leaseSeconds }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  return sql<ClaimedDelivery[]>`
    with recursive waiting (id) as (
      (select endpoint_id from webhook_deliveries where state = 'pending' order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d where d.state = 'pending' and d.endpoint_id > w.id
        order by d.endpoint_id limit 1)
      from waiting w where w.id is not null),
    due as materialized (
      select c.endpoint_id, c.seq from waiting w
      join webhook_endpoints e on e.id = w.id and e.disabled_at is null
      cross join lateral (
        select d.endpoint_id, d.seq from webhook_deliveries d
        where d.endpoint_id = w.id and d.state = 'pending' and d.due_at <= now()
          and (d.held_until is null or d.held_until <= now())
          and d.seq = (
            select b.seq from webhook_deliveries b
            where b.endpoint_id = d.endpoint_id and b.resource = d.resource
              and b.state not in ('delivered', 'failed')
            order by b.seq limit 1)
        order by d.due_at limit ${mostOfEndpoint} for update skip locked) c
      where w.id <> all(${busy})),
    taken as (
      update webhook_deliveries d
      set attempts = d.attempts + 1, held_until = now() + make_interval(secs => ${leaseSeconds})
      from due where d.endpoint_id = due.endpoint_id and d.seq = due.seq
      returning d.endpoint_id, d.seq, d.attempts as attempt, d.earlier_attempts, d.give_up_at)
    select t.*, e.url, m.id as message_id, m.kind, m.happened_at, m.data,
      array(select s.secret from webhook_secrets s
        where s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())
        order by s.expires_at desc nulls first) as secrets
    from taken t join webhook_endpoints e on e.id = t.endpoint_id join webhook_messages m on m.seq = t.seq
    order by t.seq`
}

export async function renewClaims(sql: Sql, claims: ClaimedDelivery[], leaseSeconds: number): Promise<void> {
  const held = claims.map(({ endpoint_id, seq, attempt }) => ({ endpoint_id, seq, attempt }))
  const seqs = claims.map(({ seq }) => seq)
  await sql`
    update webhook_deliveries d set held_until = now() + make_interval(secs => ${leaseSeconds})
    from jsonb_to_recordset(${sql.json(held as never)}) as n (endpoint_id text, seq bigint, attempt int)
    where d.seq = any(${seqs}) and d.endpoint_id = n.endpoint_id and d.seq = n.seq
      and d.attempts = n.attempt and d.state not in ('delivered', 'failed')`
}

/** What became of an attempt. */
export interface AttemptOutcome {
  endpoint_id: WebhookId
  seq: number
  attempt: number
  state: 'pending' | 'delivered' | 'failed'
  /** Of one that is tried again. */
  pause_seconds: number
  started_at: string
  duration_ms: number
  url: string
  request_headers: Record<string, string>
  status: number | null
  response_headers: Record<string, string> | null
  response_body: string | null
  error: string | null
}

/**
 * Not of those that somebody else has taken meanwhile: what they find out counts. An endpoint that was switched off
 * meanwhile has failed to take what is still held, unless it has taken it after all; one that is at another address by
 * now is not made to wait for what came of the old one. Here and above the rows are found
 * by their numbers: with the state compared with 'pending', PostgreSQL may read all that are pending to find a few,
 * for it expects none, as when it last counted.
 */
export async function settle(sql: Sql, outcomes: AttemptOutcome[]): Promise<void> {
  const seqs = outcomes.map(({ seq }) => seq)
  await sql`
    with n as (
      select * from jsonb_to_recordset(${sql.json(outcomes as never)}) as n (
        endpoint_id text, seq bigint, attempt int, state text, pause_seconds double precision, started_at timestamptz,
        duration_ms int, url text, request_headers jsonb, status int, response_headers jsonb, response_body text,
        error text)),
    settled as (
      update webhook_deliveries d
      set state = case when d.state = 'failed' and n.state = 'pending' then 'failed' else n.state end,
        due_at = now() + make_interval(secs => case when e.url = n.url then n.pause_seconds else 0 end), held_until = null
      from n join webhook_endpoints e on e.id = n.endpoint_id
      where d.seq = any(${seqs}) and d.endpoint_id = n.endpoint_id and d.seq = n.seq
        and d.attempts = n.attempt and (d.state not in ('delivered', 'failed') or d.held_until is not null)
      returning d.endpoint_id, d.seq, d.state, e.url = n.url as is_its_own),
    told as (
      update webhook_endpoints e
      set failing_since = case when s.taken then null else coalesce(e.failing_since, now()) end
      from (
        select endpoint_id, bool_or(state = 'delivered') as taken from settled where is_its_own group by endpoint_id) s
      where e.id = s.endpoint_id and (e.failing_since is null) <> s.taken)
    insert into webhook_attempts (endpoint_id, seq, attempt, started_at, duration_ms, url, request_headers, status,
      response_headers, response_body, error)
    select n.endpoint_id, n.seq, n.attempt, n.started_at, n.duration_ms, n.url, n.request_headers, n.status,
      n.response_headers, n.response_body, n.error
    from n join settled s on s.endpoint_id = n.endpoint_id and s.seq = n.seq
    on conflict do nothing`
}

/** Endpoints that have taken nothing for so long, with what the last attempt came to. */
export function longFailing(sql: Sql, seconds: number) {
  return sql<{ id: WebhookId; failing_since: string; status: number | null; error: string | null }[]>`
    select e.id, e.failing_since, a.status, a.error from webhook_endpoints e
    left join lateral (
      select status, error from webhook_attempts a where a.endpoint_id = e.id order by a.started_at desc limit 1) a on true
    where e.disabled_at is null and e.failing_since < now() - make_interval(secs => ${seconds})`
}

/** Forgets what was told so long ago; nothing that is still to be told is as old. */
export async function forgetMessages(sql: Sql, olderThanSeconds: number): Promise<void> {
  for (;;) {
    const forgotten = await sql`
      delete from webhook_messages where seq in (
        select seq from webhook_messages m
        where happened_at < now() - make_interval(secs => ${olderThanSeconds})
          and not exists (select from webhook_deliveries d where d.seq = m.seq and d.state = 'pending')
        order by happened_at limit 1000)`
    if (forgotten.count < 1000) return
  }
}

import type { MessageId, OrganizationId, ProjectId, WebhookId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Transaction } from '../platform/postgres/client.ts'
import { bodyOf } from './attempt.ts'
import type {
  DeliveryDetails,
  DeliveryState,
  Replay,
  WebhookDelivery,
  WebhookMessage,
} from './delivery-schemas.ts'
import type { MessageKind } from './kinds.ts'

interface MessageRow {
  message_id: MessageId
  kind: MessageKind
  happened_at: string
  data: Record<string, unknown>
}

interface DeliveryRow extends MessageRow {
  seq: number
  state: DeliveryState
  attempts: number
  due_at: string
  created_at: string
}

function toMessage({ message_id, kind, happened_at, data }: MessageRow): WebhookMessage {
  return { id: message_id, type: kind, timestamp: happened_at, data }
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  const { state, attempts, due_at, created_at } = row
  return {
    id: row.message_id,
    message: toMessage(row),
    state,
    attempts,
    ...(state === 'pending' && { next_attempt_at: due_at }),
    created_at,
  }
}

const columns = (sql: Queryable) => sql`
  d.seq, d.state, d.attempts, d.due_at, d.created_at, m.id as message_id, m.kind, m.happened_at, m.data`

/** The latest first; with what was last sent and answered of each, where that may be shown. */
export async function listDeliveries(
  sql: Queryable,
  id: WebhookId,
  { state, limit, offset, lastTries }: Page & { state?: DeliveryState; lastTries: boolean },
) {
  const ofEndpoint = sql`
    from webhook_deliveries d join webhook_messages m on m.seq = d.seq
    where d.endpoint_id = ${id} and (${state ?? null}::text is null or d.state = ${state ?? null})`
  const rows = await sql<DeliveryRow[]>`
    select ${columns(sql)} ${ofEndpoint} order by d.seq desc limit ${limit} offset ${offset}`
  const [count] = await sql<{ total: number }[]>`select count(*) as total ${ofEndpoint}`
  const last = new Map(lastTries ? await findLastTries(sql, id, rows) : [])
  const data = rows.map((row) => {
    const tried = last.get(row.seq)
    return { ...toDelivery(row), ...(tried && { last_try: tried }) }
  })
  return { data, pagination: { limit, offset, total: count!.total } }
}

async function findLastTries(sql: Queryable, id: WebhookId, rows: DeliveryRow[]) {
  const bodies = new Map(rows.map((row) => [row.seq, bodyOf(row)]))
  const attempts = await sql<(AttemptRow & { seq: number })[]>`
    select distinct on (seq) seq, ${attemptColumns(sql)} from webhook_attempts
    where endpoint_id = ${id} and seq = any(${[...bodies.keys()]}) order by seq, attempt desc`
  return attempts.map(({ seq, ...tried }) => [seq, toTry(tried, bodies.get(seq)!)] as const)
}

const attemptColumns = (sql: Queryable) => sql`
  started_at, duration_ms, url, request_headers, status, response_headers, response_body, error`

interface AttemptRow {
  started_at: string
  duration_ms: number
  url: string
  request_headers: Record<string, string>
  status: number | null
  response_headers: Record<string, string> | null
  response_body: string | null
  error: string | null
}

export async function findDelivery(
  sql: Queryable,
  id: WebhookId,
  messageId: MessageId,
): Promise<DeliveryDetails | undefined> {
  const [row] = await sql<DeliveryRow[]>`
    select ${columns(sql)} from webhook_messages m join webhook_deliveries d on d.seq = m.seq
    where m.id = ${messageId} and d.endpoint_id = ${id}`
  if (!row) return undefined
  const attempts = await sql<AttemptRow[]>`
    select ${attemptColumns(sql)} from webhook_attempts where endpoint_id = ${id} and seq = ${row.seq} order by attempt desc limit 100`
  return { ...toDelivery(row), tries: attempts.map((tried) => toTry(tried, bodyOf(row))) }
}

function toTry(tried: AttemptRow, body: string): DeliveryDetails['tries'][number] {
  const { started_at, duration_ms, url, request_headers: headers, status, error } = tried
  return {
    started_at,
    duration_ms,
    request: { url, headers, body },
    ...(status !== null && {
      response: { status, headers: tried.response_headers ?? {}, body: tried.response_body ?? '' },
    }),
    ...(error !== null && { error }),
  }
}

/** Has deliveries made again, from the first try on. Those that wait for one already are left alone. */
export async function replayDeliveries(
  sql: Queryable,
  id: WebhookId,
  {
    since,
    until,
    state,
    messageId,
    tryForSeconds,
  }: Replay & { messageId?: MessageId; tryForSeconds: number },
): Promise<number> {
  const replayed = await sql`
    update webhook_deliveries d
    set state = 'pending', due_at = now(), held_until = null, earlier_attempts = d.attempts,
      give_up_at = now() + make_interval(secs => ${tryForSeconds})
    from webhook_messages m
    where m.seq = d.seq and d.endpoint_id = ${id} and d.state <> 'pending'
      and (${messageId ?? null}::text is null or m.id = ${messageId ?? null})
      and (${state ?? null}::text is null or d.state = ${state ?? null})
      and (${since ?? null}::timestamptz is null or m.happened_at >= ${since ?? null})
      and (${until ?? null}::timestamptz is null or m.happened_at < ${until ?? null})`
  return replayed.count
}

interface TestDelivery {
  endpointId: WebhookId
  projectId: ProjectId
  orgId: OrganizationId
  messageId: MessageId
  kind: MessageKind
  data: Record<string, unknown>
  tryForSeconds: number
}

/** A message for one endpoint alone. */
export async function insertTest(tx: Transaction, test: TestDelivery): Promise<void> {
  const { endpointId, projectId, orgId, messageId, kind, data, tryForSeconds } = test
  await tx`
    with made as (
      insert into webhook_messages (seq, id, org_id, project_id, kind, resource, data)
      values (nextval(pg_get_serial_sequence('webhook_outbox', 'seq')), ${messageId}, ${orgId}, ${projectId}, ${kind}, ${messageId}, ${tx.json(data as never)}) returning seq)
    insert into webhook_deliveries (endpoint_id, seq, resource, give_up_at)
    select ${endpointId}, seq, ${messageId}, now() + make_interval(secs => ${tryForSeconds}) from made`
}

interface WantedMessages {
  orgId: OrganizationId
  projectId: ProjectId
  /** Undefined: only where the list ends. */
  after?: number
  limit: number
}

/** In the order in which they were told. Answers where the next ones begin as well. */
export async function listMessages(sql: Queryable, { orgId, projectId, after, limit }: WantedMessages) {
  const [end] = await sql<{ last: number }[]>`select last from webhook_places`
  const last = end?.last ?? 0
  if (after === undefined) return { messages: [], next: last }
  const rows = await sql<(MessageRow & { told: number })[]>`
    select told, id as message_id, kind, happened_at, data from webhook_messages
    where org_id = ${orgId} and told > ${after} and told <= ${last}
      and (project_id is null or project_id = ${projectId})
    order by told limit ${limit}`
  const next = rows.length < limit ? Math.max(after, last) : rows.at(-1)!.told
  return { messages: rows.map(toMessage), next }
}

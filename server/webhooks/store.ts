import type { OrganizationId, ProjectId, WebhookId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Queryable, Transaction } from '../platform/postgres/client.ts'
import type { MessageKind } from './kinds.ts'
import type { Webhook } from './schemas.ts'

interface WebhookRow {
  id: WebhookId
  project_id: ProjectId
  url: string
  kinds: MessageKind[]
  description: string
  created_at: string
  updated_at: string
  failing_since: string | null
  disabled_reason: string | null
}

const columns = (sql: Queryable) => sql`
  e.id, e.project_id, e.url, e.kinds, e.description, e.created_at, e.updated_at, e.failing_since, e.disabled_reason`

function toWebhook({ failing_since, disabled_reason, ...rest }: WebhookRow): Webhook {
  return {
    ...rest,
    enabled: disabled_reason === null,
    ...(disabled_reason && { disabled_reason }),
    ...(failing_since && { failing_since }),
  }
}

/** Of one organization, and there of one project, where somebody is confined to it. */
const ofOrganization = (sql: Queryable, orgId: OrganizationId, projectId?: ProjectId) => sql`
  webhook_endpoints e join projects p on p.id = e.project_id
  where p.org_id = ${orgId} and p.deleted_at is null
    and (${projectId ?? null}::text is null or e.project_id = ${projectId ?? null})`

export async function listEndpoints(
  sql: Queryable,
  orgId: OrganizationId,
  projectId: ProjectId | undefined,
  page: Page,
) {
  const rows = await sql<WebhookRow[]>`
    select ${columns(sql)} from ${ofOrganization(sql, orgId, projectId)}
    order by e.id desc limit ${page.limit} offset ${page.offset}`
  const [count] = await sql<{ total: number }[]>`
    select count(*) as total from ${ofOrganization(sql, orgId, projectId)}`
  return { data: rows.map(toWebhook), pagination: { ...page, total: count!.total } }
}

export async function findEndpoint(sql: Queryable, orgId: OrganizationId, id: WebhookId) {
  const [row] = await sql<WebhookRow[]>`
    select ${columns(sql)} from ${ofOrganization(sql, orgId)} and e.id = ${id}`
  return row && toWebhook(row)
}

export async function countEndpoints(sql: Queryable, projectId: ProjectId): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from webhook_endpoints where project_id = ${projectId}`
  return row!.total
}

export interface InsertedEndpoint {
  id: WebhookId
  projectId: ProjectId
  url: string
  kinds: MessageKind[]
  description: string
  secret: string
}

export async function insertEndpoint(tx: Transaction, endpoint: InsertedEndpoint): Promise<void> {
  const { id, projectId, url, kinds, description, secret } = endpoint
  await tx`
    insert into webhook_endpoints (id, project_id, url, kinds, description)
    values (${id}, ${projectId}, ${url}, ${kinds}, ${description})`
  await tx`insert into webhook_secrets (endpoint_id, secret) values (${id}, ${secret})`
}

export interface EndpointChanges {
  url?: string
  kinds?: MessageKind[]
  description?: string
  /** Null: it is told again. */
  disabledReason?: string | null
}

export async function updateEndpoint(tx: Transaction, id: WebhookId, changes: EndpointChanges) {
  const { url, kinds, description, disabledReason } = changes
  if (url !== undefined) await moveEndpoint(tx, id, url)
  await tx`
    update webhook_endpoints set kinds = coalesce(${kinds ?? null}, kinds),
      description = coalesce(${description ?? null}, description), updated_at = now()
    where id = ${id}`
  if (disabledReason === null)
    await tx`
      update webhook_endpoints set disabled_at = null, disabled_reason = null, failing_since = null where id = ${id}`
  else if (disabledReason !== undefined) await disable(tx, id, disabledReason)
}

/** What failed at the address before says nothing about another: that is told at once. */
async function moveEndpoint(tx: Transaction, id: WebhookId, url: string): Promise<void> {
  await tx`
    update webhook_deliveries d set due_at = now(), earlier_attempts = d.attempts
    from webhook_endpoints e where e.id = ${id} and e.url <> ${url} and d.endpoint_id = e.id and d.state = 'pending'`
  await tx`update webhook_endpoints set url = ${url}, failing_since = null where id = ${id} and url <> ${url}`
}

/** What it was still to be told has failed: it can be replayed once it is back. */
export async function disable(tx: Transaction, id: WebhookId, reason: string): Promise<void> {
  await tx`
    update webhook_endpoints set disabled_at = now(), disabled_reason = ${reason}
    where id = ${id} and disabled_at is null`
  await tx`update webhook_deliveries set state = 'failed' where endpoint_id = ${id} and state = 'pending'`
}

export async function deleteEndpoint(tx: Transaction, id: WebhookId): Promise<boolean> {
  const deleted = await tx`delete from webhook_endpoints where id = ${id}`
  return deleted.count > 0
}

/** The new secret signs from now on, beside the ones before it for so many more seconds. */
export async function replaceSecret(
  tx: Transaction,
  id: WebhookId,
  { secret, graceSeconds }: { secret: string; graceSeconds: number },
): Promise<boolean> {
  // One rotation at a time: of two at once, the second must see, and end, the first one's secret.
  const [endpoint] = await tx`select from webhook_endpoints where id = ${id} for update`
  if (!endpoint) return false
  await tx`delete from webhook_secrets where endpoint_id = ${id} and expires_at <= now()`
  await tx`
    update webhook_secrets set expires_at = least(expires_at, now() + make_interval(secs => ${graceSeconds}))
    where endpoint_id = ${id}`
  await tx`insert into webhook_secrets (endpoint_id, secret) values (${id}, ${secret})`
  return true
}

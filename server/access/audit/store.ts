import type { CallerOrigin } from '../../base/caller.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Queryable, Sql } from '../../platform/postgres/client.ts'
import type { AuditAction, AuditEntry, AuditQuery } from './schemas.ts'

interface InsertedEntry {
  orgId: OrganizationId
  projectId?: ProjectId
  actor: string
  from?: CallerOrigin
  action: AuditAction
  resource: string
  name?: string
  before?: object
  after?: object
}

export async function insertEntry(tx: Queryable, entry: InsertedEntry): Promise<void> {
  const { orgId, projectId = null, actor, from, action, resource, name = null } = entry
  const json = (part: object | undefined) => (part ? tx.json(part as never) : null)
  await tx`
    insert into audit_entries (org_id, project_id, actor, actor_address, actor_agent, action, resource,
      resource_name, before, after)
    values (${orgId}, ${projectId}, ${actor}, ${from?.address ?? null}, ${from?.agent?.slice(0, 300) ?? null},
      ${action}, ${resource}, ${name}, ${json(entry.before)}, ${json(entry.after)})`
}

interface EntryRow {
  id: string
  at: string
  action: AuditAction
  actor: string
  actor_name: string | null
  address: string | null
  user_agent: string | null
  project_id: ProjectId | null
  resource: string
  resource_name: string | null
  before: AuditEntry['before'] | null
  after: AuditEntry['after'] | null
}

/** One more than the limit, where there is one: so it is known that there is a next page. */
export async function listEntries(
  sql: Sql,
  orgId: OrganizationId,
  { limit, offset, cursor, actor, action, resource }: AuditQuery,
) {
  const wanted = sql`
    org_id = ${orgId} and (${actor ?? null}::text is null or actor = ${actor ?? null})
    and (${action ?? null}::text is null or action = ${action ?? null})
    and (${resource ?? null}::text is null or resource = ${resource ?? null})`
  const rows = await sql<EntryRow[]>`
    select a.seq::text as id, a.at, a.action, a.actor, coalesce(u.email, k.name) as actor_name,
      a.actor_address as address, a.actor_agent as user_agent, a.project_id, a.resource, a.resource_name,
      a.before, a.after
    from (
      select * from audit_entries where ${wanted} and (${cursor ?? null}::bigint is null or seq < ${cursor ?? null}::bigint)
      order by seq desc limit ${limit + 1} offset ${cursor ? 0 : offset}) a
    left join users u on u.id = a.actor left join api_keys k on k.id = a.actor
    order by a.seq desc`
  const [count] = await sql<{ total: number }[]>`select count(*) as total from audit_entries where ${wanted}`
  return { entries: rows.map(toEntry), total: count!.total }
}

function toEntry(row: EntryRow): AuditEntry {
  const { id, at, action, actor, resource } = row
  return {
    id,
    at,
    action,
    actor,
    ...(row.actor_name && { actor_name: row.actor_name }),
    ...(row.address && { address: row.address }),
    ...(row.user_agent && { user_agent: row.user_agent }),
    ...(row.project_id && { project_id: row.project_id }),
    resource,
    ...(row.resource_name && { resource_name: row.resource_name }),
    ...(row.before && { before: row.before }),
    ...(row.after && { after: row.after }),
  }
}

export async function deleteOlder(sql: Sql, seconds: number): Promise<void> {
  await sql`delete from audit_entries where at < now() - make_interval(secs => ${seconds})`
}

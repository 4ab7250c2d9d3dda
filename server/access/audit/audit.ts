import { allow, type Caller, type CallerOrigin } from '../../base/caller.ts'
import type { OrganizationId, ProjectId } from '../../base/ids.ts'
import type { Sql, Transaction } from '../../platform/postgres/client.ts'
import type { AuditAction, AuditQuery } from './schemas.ts'
import * as store from './store.ts'

export interface Audited {
  orgId: OrganizationId
  projectId?: ProjectId
  action: AuditAction
  /** The id of what was changed, and what people call it. */
  resource: string
  name?: string
  /** What of it was changed, as it was and as it is. */
  before?: object
  after?: object
}

/** Who did something: a caller, or `dns` where another's proof of a domain took it away. */
export interface Actor {
  id: Caller['id'] | 'dns'
  from?: CallerOrigin
}

/** Writes down who did something, in the transaction in which it is done. */
export async function audit(tx: Transaction, { id, from }: Actor, audited: Audited): Promise<void> {
  await store.insertEntry(tx, { ...audited, actor: id, from })
}

/** What is asked to be changed of something, as it was and as it will be. */
export function changed<Resource extends object>(
  resource: Resource,
  asked: Partial<Resource>,
): Pick<Audited, 'before' | 'after'> {
  const names = (Object.keys(asked) as (keyof Resource)[]).filter((name) => asked[name] !== undefined)
  const of = (values: Partial<Resource>) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return { before: of(resource), after: of(asked) }
}

/** The latest first. The log is about the whole organization, and so is the permission to read it. */
export async function listAudit(caller: Caller, orgId: OrganizationId, wanted: AuditQuery, sql: Sql) {
  allow(caller, 'members:read', { orgId })
  const { limit, offset } = wanted
  const { entries, total } = await store.listEntries(sql, orgId, wanted)
  const page = entries.slice(0, limit)
  const next_cursor = entries.length > limit ? page.at(-1)!.id : undefined
  return { data: page, pagination: { limit, offset, total, ...(next_cursor && { next_cursor }) } }
}

/** Takes what is older than it has to be kept. */
export async function forgetAudit(sql: Sql, olderThanSeconds: number): Promise<void> {
  await store.deleteOlder(sql, olderThanSeconds)
}

import { randomBytes } from 'node:crypto'
import { audit, changed, projectExists } from '../access/index.ts'
import { allow, allowWithin, type Caller } from '../base/caller.ts'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { newId, type OrganizationId, type WebhookId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import { holdName, type Sql } from '../platform/postgres/client.ts'
import type { NewWebhook, Webhook, WebhookChanges } from './schemas.ts'
import * as store from './store.ts'

/** Each is called for everything that happens: more than these, one of them had better pass things on. */
const MOST_OF_PROJECT = 50

export async function createWebhook(
  caller: Caller,
  orgId: OrganizationId,
  wanted: NewWebhook,
  sql: Sql,
): Promise<Webhook> {
  const scope = { orgId, projectId: wanted.project_id }
  allow(caller, 'projects:write', scope)
  const url = checkedUrl(wanted.url)
  if (!(await projectExists(sql, orgId, scope.projectId))) throw notFound('no such project')
  const id = newId('webhook')
  const secret = newSecret()
  const { kinds = [], description = '' } = wanted
  await sql.begin(async (tx) => {
    await holdName(tx, `webhooks of ${scope.projectId}`)
    if ((await store.countEndpoints(tx, scope.projectId)) >= MOST_OF_PROJECT)
      throw conflict(`a project has at most ${MOST_OF_PROJECT} webhooks`)
    await store.insertEndpoint(tx, { id, projectId: scope.projectId, url, kinds, description, secret })
    await audit(tx, caller, { ...scope, action: 'webhook.created', resource: id, after: { url, kinds } })
  })
  return { ...(await requireWebhook(orgId, id, sql)), secret }
}

export async function listWebhooks(caller: Caller, orgId: OrganizationId, page: Page, sql: Sql) {
  const onlyProject = allowWithin(caller, 'projects:read', orgId)
  return store.listEndpoints(sql, orgId, onlyProject, page)
}

/** What somebody may see of a webhook, or may do with it. */
export async function showWebhook(
  caller: Caller,
  { orgId, id, permission = 'projects:read' }: OneOf & { permission?: 'projects:read' | 'projects:write' },
  sql: Sql,
): Promise<Webhook> {
  allowWithin(caller, permission, orgId)
  const found = await requireWebhook(orgId, id, sql)
  allow(caller, permission, { orgId, projectId: found.project_id })
  return found
}

export interface OneOf {
  orgId: OrganizationId
  id: WebhookId
}

export async function changeWebhook(
  caller: Caller,
  { orgId, id }: OneOf,
  { enabled, ...wanted }: WebhookChanges,
  sql: Sql,
): Promise<Webhook> {
  const before = await showWebhook(caller, { orgId, id, permission: 'projects:write' }, sql)
  const changes = {
    ...wanted,
    ...(wanted.url !== undefined && { url: checkedUrl(wanted.url) }),
    ...(enabled === true && !before.enabled && { disabledReason: null }),
    ...(enabled === false && before.enabled && { disabledReason: 'switched off by hand' }),
  }
  await sql.begin(async (tx) => {
    await store.updateEndpoint(tx, id, changes)
    const about = { orgId, projectId: before.project_id, action: 'webhook.changed', resource: id } as const
    const asked = { ...wanted, ...(enabled !== undefined && { enabled }) }
    await audit(tx, caller, { ...about, ...changed(before, asked) })
  })
  return requireWebhook(orgId, id, sql)
}

export async function deleteWebhook(caller: Caller, { orgId, id }: OneOf, sql: Sql): Promise<void> {
  const { project_id: projectId, url } = await showWebhook(
    caller,
    { orgId, id, permission: 'projects:write' },
    sql,
  )
  await sql.begin(async (tx) => {
    if (!(await store.deleteEndpoint(tx, id))) throw unknown()
    await audit(tx, caller, { orgId, projectId, action: 'webhook.deleted', resource: id, before: { url } })
  })
}

export async function rotateSecret(
  caller: Caller,
  { orgId, id, graceSeconds }: OneOf & { graceSeconds: number },
  sql: Sql,
): Promise<Webhook> {
  const webhook = await showWebhook(caller, { orgId, id, permission: 'projects:write' }, sql)
  const secret = newSecret()
  await sql.begin(async (tx) => {
    if (!(await store.replaceSecret(tx, id, { secret, graceSeconds }))) throw unknown()
    const about = {
      orgId,
      projectId: webhook.project_id,
      resource: id,
      after: { grace_seconds: graceSeconds },
    }
    await audit(tx, caller, { ...about, action: 'webhook.secret_rotated' })
  })
  return { ...webhook, secret }
}

async function requireWebhook(orgId: OrganizationId, id: WebhookId, sql: Sql): Promise<Webhook> {
  const found = await store.findEndpoint(sql, orgId, id)
  if (!found) throw unknown()
  return found
}

const unknown = () => notFound('no such webhook')

/** Of the form that Standard Webhooks gives secrets, with 256 random bits. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Whether it may be called is decided when it is called: what a name stands for changes. */
function checkedUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw badRequest('body.url: must be an http or https address')
  if (url.username || url.password)
    throw badRequest('body.url: must not hold a password; check the signature')
  url.hash = ''
  return url.href
}

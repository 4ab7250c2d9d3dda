import type { ProjectScope } from '../access/index.ts'
import { allow, type Caller, isAllowed } from '../base/caller.ts'
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { type MessageId, newId } from '../base/ids.ts'
import type { Page } from '../http/pagination.ts'
import type { Sql } from '../platform/postgres/client.ts'
import * as store from './deliveries-store.ts'
import type { DeliveryDetails, DeliveryState, Replay } from './delivery-schemas.ts'
import { type OneOf, showWebhook } from './endpoints.ts'
import { exampleData, type MessageKind } from './kinds.ts'

export interface DeliveriesDeps {
  sql: Sql
  /** How long a message is tried. */
  tryForSeconds: number
}

export async function listDeliveries(
  caller: Caller,
  one: OneOf,
  wanted: Page & { state?: DeliveryState },
  { sql }: DeliveriesDeps,
) {
  const { project_id: projectId } = await showWebhook(caller, one, sql)
  const lastTries = isAllowed(caller, 'projects:write', { orgId: one.orgId, projectId })
  return store.listDeliveries(sql, one.id, { ...wanted, lastTries })
}

/** With what was sent and answered. It needs the permission to change: an answer may hold anything. */
export async function showDelivery(
  caller: Caller,
  one: OneOf,
  messageId: MessageId,
  { sql }: DeliveriesDeps,
): Promise<DeliveryDetails> {
  await showWebhook(caller, { ...one, permission: 'projects:write' }, sql)
  const found = await store.findDelivery(sql, one.id, messageId)
  if (!found) throw notFound('no such delivery')
  return found
}

/** Tells an endpoint something that has not happened, to see whether it takes it. */
export async function testWebhook(
  caller: Caller,
  one: OneOf,
  kind: MessageKind = 'video.ready',
  deps: DeliveriesDeps,
): Promise<DeliveryDetails> {
  const { project_id: projectId, enabled } = await showWebhook(
    caller,
    { ...one, permission: 'projects:write' },
    deps.sql,
  )
  if (!enabled) throw switchedOff()
  const messageId = newId('message')
  const data = { project_id: projectId, ...exampleData(kind), test: true }
  const { tryForSeconds } = deps
  await deps.sql.begin((tx) =>
    store.insertTest(tx, {
      endpointId: one.id,
      orgId: one.orgId,
      projectId,
      messageId,
      kind,
      data,
      tryForSeconds,
    }),
  )
  const made = await store.findDelivery(deps.sql, one.id, messageId)
  if (!made) throw notFound('no such webhook')
  return made
}

export async function replayDelivery(
  caller: Caller,
  one: OneOf,
  messageId: MessageId,
  deps: DeliveriesDeps,
): Promise<DeliveryDetails> {
  const found = await showDelivery(caller, one, messageId, deps)
  const { enabled } = await showWebhook(caller, one, deps.sql)
  if (!enabled) throw switchedOff()
  if (found.state === 'pending') throw conflict('it is being delivered already')
  const { sql, tryForSeconds } = deps
  await store.replayDeliveries(sql, one.id, { messageId, tryForSeconds })
  return (await store.findDelivery(sql, one.id, messageId)) ?? found
}

/** All that happened in a time, or all that failed, or both; nothing at all is asked for by mistake. */
export async function replayDeliveries(
  caller: Caller,
  one: OneOf,
  wanted: Replay,
  { sql, tryForSeconds }: DeliveriesDeps,
): Promise<{ replayed: number }> {
  const { enabled } = await showWebhook(caller, { ...one, permission: 'projects:write' }, sql)
  if (!wanted.since && !wanted.state) throw badRequest('body: give since, state or both')
  if (!enabled) throw switchedOff()
  return { replayed: await store.replayDeliveries(sql, one.id, { ...wanted, tryForSeconds }) }
}

const switchedOff = () => conflict('it is switched off; change enabled to true first')

/** What has happened, for whoever asks instead of being called. */
export async function listMessages(
  caller: Caller,
  scope: ProjectScope,
  { after, limit }: { after?: string; limit: number },
  { sql }: DeliveriesDeps,
) {
  allow(caller, 'projects:read', scope)
  const { messages, next } = await store.listMessages(sql, {
    ...scope,
    after: after === undefined ? undefined : Number(after),
    limit,
  })
  return { data: messages, next_cursor: String(next) }
}

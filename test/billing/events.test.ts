import { expect, test } from 'vitest'
import { OPERATOR } from '../../server/base/caller.ts'
import { replayBillingEvent } from '../../server/billing/replay-event.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'
import { addMember, addTenant } from '../support/world.ts'

const BEGIN = Date.parse('2026-03-01T00:00:00Z')

test('events are listed with what became of them; bodies and replay are for who may change billing', async () => {
  const service = await composeForTest({ env: { ...PROVIDERS, MARQUEE_LIMIT_FREE_PER_MINUTE: '0' } })
  const mine = await addTenant(service, 'mine', 'free')
  const theirs = await addTenant(service, 'theirs', 'free')
  let minutes = 0
  const tell = async (id: string, type: string, data: object) => {
    const body = standardEvent(type, { subscription_id: 'sub_1', ...data }, BEGIN + minutes++ * 60_000)
    expect((await deliver(service.url, standardSigned(body, { id }))).status).toBe(200)
    return body
  }
  await tell('msg_0', 'payment.succeeded', {})
  const created = await tell('msg/1', 'subscription.created', {
    org_id: mine.orgId,
    plan: 'price_new',
    payer: 'ada@example.com',
  })
  await tell('msg_2', 'payment.failed', {})
  await tell('msg_3', 'invoice.drawn', { org_id: mine.orgId })
  await tell('msg_4', 'subscription.updated', { org_id: theirs.orgId, plan: 'pro' })
  await tell('msg_5', 'payment.failed', {})

  const at = (rest: string) => `/billing/v1/events${rest}?org_id=${mine.orgId}`
  const { body } = await mine.owner.get(at(''))
  expect(body.pagination).toEqual({ limit: 25, offset: 0, total: 3 })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['msg_2', 'msg/1', 'msg_0'])
  const event = {
    id: 'msg/1',
    provider: 'payments',
    type: 'subscription.created',
    subscription_id: 'sub_1',
    occurred_at: '2026-03-01T00:01:00.000Z',
    received_at: expect.any(String),
    // The price is in no setting, so it says nothing about the plan.
    change: { kind: 'created', org_id: mine.orgId },
  }
  expect(body.data[1]).toEqual(event)
  expect(JSON.stringify(body)).not.toContain('ada@example.com')
  expect((await mine.owner.get(`${at('')}&limit=1&offset=2`)).body.data).toMatchObject([{ id: 'msg_0' }])
  // What moved on with the subscription is seen where it is now, and nothing from before.
  const moved = (await theirs.owner.get(`/billing/v1/events?org_id=${theirs.orgId}`)).body.data
  expect(moved.map(({ id }: { id: string }) => id)).toEqual(['msg_5', 'msg_4'])

  expect((await mine.owner.get(at('/msg%2F1'))).body).toEqual({ ...event, body: created })
  for (const id of ['msg_4', 'msg_3', 'msg_9'])
    expect((await mine.owner.get(at(`/${id}`))).status, id).toBe(404)
  const reader = (await addMember(service, mine, 'reader@mine.example', ['billing:read'])).api
  expect((await reader.get(at(''))).status).toBe(200)
  expect((await reader.get(at('/msg%2F1'))).body.details).toBe('needs billing:write')
  expect((await reader.post(at('/msg%2F1/replay'))).body.details).toBe('needs billing:write')
  const byKey = mine.owner.as(key(mine.secretKey))
  expect((await byKey.get(at(''))).body.details).toBe('needs billing:read in the whole organization')
  expect((await theirs.owner.post(at('/msg%2F1/replay'))).status).toBe(403)
})

test('an event that is replayed says what today’s settings say, and under the same ones nothing new', async () => {
  const service = await composeForTest({ env: { ...PROVIDERS, MARQUEE_LIMIT_FREE_PER_MINUTE: '0' } })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const body = standardEvent('subscription.created', { org_id: orgId, plan: 'price_new' }, BEGIN)
  await deliver(service.url, standardSigned(body, { id: 'msg_1' }))
  await deliver(
    service.url,
    standardSigned(
      standardEvent('subscription.updated', { org_id: orgId, status: 'trialing' }, BEGIN + 1000),
    ),
  )
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body
  const before = await subscription()
  expect(before).toMatchObject({ plan: 'free', status: 'trialing' })
  const replayed = await owner.post(`/billing/v1/events/msg_1/replay?org_id=${orgId}`)
  expect(replayed).toMatchObject({ status: 200, body: { id: 'msg_1', change: { kind: 'created' } } })
  expect(await subscription()).toEqual(before)

  const deps = { sql: service.sql, graceSeconds: 0 }
  await replayBillingEvent(
    OPERATOR,
    orgId,
    { id: 'msg_1' },
    { ...deps, prices: new Map([['price_new', 'pro']]) },
  )
  expect(await subscription()).toEqual({ ...before, plan: 'pro' })
  // Where the component runs elsewhere, nobody here knows the prices.
  await expect(
    replayBillingEvent(OPERATOR, orgId, { id: 'msg_1' }, { ...deps, prices: undefined }),
  ).rejects.toMatchObject({ status: 409 })
})

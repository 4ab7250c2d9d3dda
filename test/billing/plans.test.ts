import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import {
  deliver,
  PROVIDERS,
  seconds,
  standardEvent,
  standardSigned,
  stripeEvent,
  stripeSigned,
} from '../support/webhooks.ts'
import { addMember, addRestrictedKey, addTenant } from '../support/world.ts'

const DAY = 86_400_000

test('the life of a subscription: plan, limits, storage and plan_type of new media follow at once', async () => {
  const service = await composeForTest({ env: { ...PROVIDERS, MARQUEE_LIMIT_FREE_PER_MINUTE: '0' } })
  const { orgId, owner, secretKey } = await addTenant(service, 'acme', 'free')
  const byKey = owner.as(key(secretKey))
  const begin = Date.now() - 10 * DAY
  let step = 0
  const tell = async (type: string, data: object = {}) => {
    const at = begin + step++ * 60_000
    const answer = await deliver(
      service.url,
      standardSigned(standardEvent(type, { org_id: orgId, ...data }, at)),
    )
    expect(answer).toMatchObject({ status: 200, body: { status: 'received' } })
  }
  const seen = async () => {
    const [project, init] = [
      await byKey.get('/project'),
      await byKey.post('/images/upload/init', { file_name: 'a.jpg' }),
    ]
    const { body: video } = await byKey.post('/videos/upload/init', { file_name: 'v.mp4' })
    expect(init.status).toBe(200)
    const [row] = await service.sql`select plan_type from videos where id = ${video.video_id}`
    return {
      perHour: /"hour";q=(\d+)/.exec(project.headers.get('ratelimit-policy') ?? '')?.[1],
      storage: project.body.storage_limit,
      planType: row!.plan_type,
    }
  }
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body

  expect(await subscription()).toEqual({ org_id: orgId, plan: 'free', status: 'none' })
  await tell('subscription.created', {
    plan: 'pro',
    period_start: '2026-11-01T00:00:00Z',
    period_end: '2026-12-01T00:00:00+00:00',
  })
  expect(await seen()).toEqual({ perHour: '1000', storage: 2 ** 40, planType: 'pro' })
  expect(await subscription()).toEqual({
    org_id: orgId,
    plan: 'pro',
    status: 'active',
    provider: 'payments',
    subscription_id: orgId,
    started_at: new Date(begin).toISOString(),
    period_start: '2026-11-01T00:00:00.000Z',
    period_end: '2026-12-01T00:00:00.000Z',
  })

  await tell('subscription.updated', { plan: 'pay_as_you_go' })
  expect(await seen()).toEqual({ perHour: undefined, storage: 10 * 2 ** 40, planType: 'pay_as_you_go' })
  await tell('subscription.updated', { plan: 'custom' })
  expect((await seen()).planType).toBe('custom')
  await tell('invoice.drawn', { plan: 'free' })
  expect((await seen()).planType).toBe('custom')
  await tell('subscription.canceled')
  expect(await seen()).toEqual({ perHour: '100', storage: 10 * 2 ** 30, planType: 'free' })
  expect(await subscription()).toMatchObject({
    plan: 'free',
    status: 'canceled',
    ends_at: expect.any(String),
  })
  // It comes back.
  await tell('subscription.updated', { plan: 'pro', status: 'active' })
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active' })
  expect((await subscription()).ends_at).toBeUndefined()
})

test('a failed payment: the plan stays for the grace period, and its end is seen with no event and no sweep', async () => {
  const env = { ...PROVIDERS, MARQUEE_BILLING_GRACE: '86400', MARQUEE_ROLES: 'api' }
  const service = await composeForTest({ env })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const tell = (type: string, at: number, data: object = {}) =>
    deliver(service.url, standardSigned(standardEvent(type, { org_id: orgId, ...data }, at)))
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body
  const failedAt = Date.now() - DAY + 3_600_000

  await tell('subscription.created', Date.now() - 30 * DAY, { plan: 'pro' })
  await tell('payment.failed', failedAt)
  // Failing again does not begin another grace period.
  await tell('payment.failed', failedAt + 1_800_000)
  const grace_ends_at = new Date(failedAt + DAY).toISOString()
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'past_due', grace_ends_at })

  // An hour passes: the clock is the database's, so its times are moved instead.
  await service.sql`update organizations set plan_until = plan_until - interval '1 hour' where id = ${orgId}`
  expect((await owner.get('/project')).body.storage_limit).toBe(10 * 2 ** 30)
  expect(await subscription()).toMatchObject({ plan: 'free' })

  await tell('payment.succeeded', failedAt + 1_900_000)
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active' })
  expect((await subscription()).grace_ends_at).toBeUndefined()
  await tell('payment.failed', Date.now() - DAY - 60_000)
  // Late news of an earlier failure, before the payment that made up for it.
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'active' })
  await tell('payment.failed', Date.now())
  await tell('subscription.updated', Date.now() + 1000, { status: 'unpaid' })
  expect(await subscription()).toMatchObject({ plan: 'free', status: 'unpaid' })
})

test('a sweep writes down what has ended', async () => {
  const env = { ...PROVIDERS, MARQUEE_BILLING_GRACE: '0', MARQUEE_SWEEP_INTERVAL: '1' }
  const service = await composeForTest({ env })
  const { orgId } = await addTenant(service, 'acme', 'free')
  await service.sql`
    update organizations set plan = 'pro', plan_until = now() - interval '1 second', plan_after = 'free'
    where id = ${orgId}`
  const planOf = async () => {
    const [row] = await service.sql`select plan, plan_until from organizations where id = ${orgId}`
    return { ...row! }
  }
  while ((await planOf()).plan !== 'free') await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await planOf()).toEqual({ plan: 'free', plan_until: null })
})

test('one that was cancelled for later keeps its plan until then; two at once: the newer counts', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const tell = (type: string, at: number, data: object) =>
    deliver(service.url, standardSigned(standardEvent(type, { org_id: orgId, ...data }, at)))
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body
  const now = Date.now()
  const ends_at = new Date(now + 3_600_000).toISOString()
  await tell('subscription.created', now - 5000, { subscription_id: 'a', plan: 'pro' })
  await tell('subscription.canceled', now - 4000, { subscription_id: 'a', ends_at })
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'canceled', ends_at })
  await tell('subscription.created', now - 3000, { subscription_id: 'b', plan: 'custom' })
  expect(await subscription()).toMatchObject({ plan: 'custom', subscription_id: 'b' })
  // The end of the old one is no end of the new one; the end of the new one leaves the old one.
  await tell('subscription.canceled', now - 2000, { subscription_id: 'b' })
  expect(await subscription()).toMatchObject({ plan: 'pro', subscription_id: 'a' })
  await tell('subscription.canceled', now - 1000, { subscription_id: 'a' })
  expect(await subscription()).toMatchObject({ plan: 'free', status: 'canceled' })
})

test('Stripe: subscriptions by price or metadata, invoices by their subscription, in the order of the second', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const at = seconds() - 1000
  const tell = (type: string, object: object, time: number) =>
    deliver(service.url, stripeSigned(stripeEvent(type, object, { at: time })), { provider: 'stripe' })
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body
  const stripeSubscription = (status: string, price: string, more: object = {}) => ({
    id: 'sub_stripe',
    object: 'subscription',
    status,
    metadata: { org_id: orgId },
    cancel_at: null,
    items: {
      data: [{ price: { id: price }, current_period_start: at, current_period_end: at + 2_592_000 }],
    },
    ...more,
  })
  // An invoice may come first, and names no organization.
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    parent: { subscription_details: { subscription: 'sub_stripe' } },
  }
  expect((await tell('invoice.paid', invoice, at)).status).toBe(200)
  // All in one second, in the wrong order.
  await tell('customer.subscription.updated', stripeSubscription('active', 'price_pro'), at)
  await tell('customer.subscription.created', stripeSubscription('incomplete', 'price_pro'), at)
  expect(await subscription()).toMatchObject({
    plan: 'pro',
    status: 'active',
    provider: 'stripe',
    subscription_id: 'sub_stripe',
    period_start: new Date(at * 1000).toISOString(),
    period_end: new Date((at + 2_592_000) * 1000).toISOString(),
  })
  // As interfaces before 2025 tell it.
  await tell('invoice.payment_failed', { id: 'in_2', object: 'invoice', subscription: 'sub_stripe' }, at + 10)
  expect(await subscription()).toMatchObject({ plan: 'pro', status: 'past_due' })
  await tell('customer.subscription.updated', stripeSubscription('past_due', 'price_metered'), at + 10)
  expect(await subscription()).toMatchObject({ plan: 'pay_as_you_go', status: 'past_due' })
  await tell('invoice.paid', invoice, at + 20)
  expect(await subscription()).toMatchObject({ plan: 'pay_as_you_go', status: 'active' })
  const metadata = { org_id: orgId, plan: 'custom' }
  await tell(
    'customer.subscription.updated',
    stripeSubscription('active', 'price_unknown', { metadata }),
    at + 30,
  )
  expect(await subscription()).toMatchObject({ plan: 'custom', status: 'active' })
  const cancel_at = seconds() + 3600
  const leaving = stripeSubscription('active', 'price_pro', { cancel_at, cancel_at_period_end: true })
  await tell('customer.subscription.updated', leaving, at + 40)
  expect(await subscription()).toMatchObject({
    plan: 'pro',
    ends_at: new Date(cancel_at * 1000).toISOString(),
  })
  await tell('customer.subscription.deleted', stripeSubscription('canceled', 'price_pro'), at + 50)
  expect(await subscription()).toMatchObject({ plan: 'free', status: 'canceled' })
})

test('what is about no known organization, price or type is stored and left alone', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId } = await addTenant(service, 'acme', 'custom')
  const bodies = [
    standardEvent('subscription.created', { org_id: 'org_00000000000000000000000000', plan: 'pro' }),
    standardEvent('subscription.created', { org_id: orgId, plan: 'golden' }),
    standardEvent('subscription.created', { org_id: 'nonsense\u0000', plan: 'pro' }),
    standardEvent('subscription.created', { org_id: orgId, subscription_id: 'a\u0000', plan: 'pro' }),
    standardEvent('constructor', { org_id: orgId, plan: 'pro' }),
    // Half of a pair of surrogates: JSON can say it, and no text can hold it.
    standardEvent('half\ud800', { org_id: orgId, plan: 'pro' }),
    standardEvent('subscription.created', { subscription_id: 'half\udc00', plan: 'pro' }),
    JSON.stringify({ type: { a: 1 }, data: null, timestamp: 'yesterday' }),
    JSON.stringify({ type: 'subscription.created', data: ['x'], timestamp: '9999-99-99T99:99:99Z' }),
    '{}',
  ]
  for (const body of bodies)
    expect((await deliver(service.url, standardSigned(body))).body, body).toEqual({ status: 'received' })
  const stripe = [
    stripeEvent('customer.subscription.created', { id: 'sub_x', status: 'active', items: { data: 'none' } }),
    stripeEvent('invoice.paid', { id: 'in_x', metadata: null }),
    stripeEvent('customer.created', { id: 'cus_x' }),
    JSON.stringify({ id: 'evt_thin', object: 'v2.core.event', type: 'v2.core.account.updated' }),
    JSON.stringify({ id: 'evt_odd', type: 'invoice.paid', created: 1e300, data: 7 }),
  ]
  for (const body of stripe)
    expect((await deliver(service.url, stripeSigned(body), { provider: 'stripe' })).status, body).toBe(200)
  const [count] = await service.sql`select count(*) as events from billing_events`
  expect(count!.events).toBe(bodies.length + stripe.length)
  expect(await service.sql`select plan from organizations where id = ${orgId}`).toMatchObject([
    { plan: 'custom' },
  ])
})

test('a plan set by hand holds until something later happens', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const tell = (type: string, at: number, data: object = {}) =>
    deliver(service.url, standardSigned(standardEvent(type, { org_id: orgId, ...data }, at)))
  const plan = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan
  const { changePlan } = await import('../../server/access/organizations/organizations.ts')
  const { OPERATOR } = await import('../../server/base/caller.ts')
  await tell('subscription.created', Date.now() - DAY, { plan: 'pro' })
  await tell('payment.failed', Date.now() - 3_600_000)
  await changePlan(OPERATOR, orgId, 'custom', service.sql)
  expect(await plan()).toBe('custom')
  await tell('payment.succeeded', Date.now() - 60_000)
  expect(await plan()).toBe('custom')
  await tell('subscription.updated', Date.now() + 2000, { plan: 'pay_as_you_go' })
  expect(await plan()).toBe('pay_as_you_go')
})

test('billing:read shows plans, subscription and storage; a key sees its own project', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const tenant = await addTenant(service, 'acme', 'pro')
  const { orgId, projectId, owner } = tenant
  const member = await addMember(service, tenant, 'accounts@acme.example', ['billing:read'])
  await owner.post(`/organizations/${orgId}/projects/v1`, { name: 'other' })
  await service.sql`update projects set storage_used = 1000 where org_id = ${orgId}`
  const { body } = await member.api.get('/billing/v1/plans')
  expect(body.plans).toEqual([
    { id: 'free', requests_per_hour: 100, requests_per_minute: 10, storage_limit: 10 * 2 ** 30 },
    { id: 'pro', requests_per_hour: 1000, requests_per_minute: 50, storage_limit: 2 ** 40 },
    { id: 'custom', storage_limit: 10 * 2 ** 40 },
    { id: 'pay_as_you_go', storage_limit: 10 * 2 ** 40 },
  ])
  const usage = `/billing/v1/storage-usage?org_id=${orgId}`
  const all = (await member.api.get(usage)).body
  expect(all).toMatchObject({ org_id: orgId, plan: 'pro', storage_used: 2000 })
  expect(all.projects).toHaveLength(2)
  const restricted = await addRestrictedKey(tenant, ['billing:read'])
  expect((await restricted.api.get(usage)).body).toEqual({
    org_id: orgId,
    plan: 'pro',
    storage_used: 1000,
    projects: [{ project_id: projectId, name: 'acme project', storage_used: 1000, storage_limit: 2 ** 40 }],
  })
  const other = await addTenant(service, 'other')
  for (const path of ['subscription', 'storage-usage']) {
    expect((await owner.get(`/billing/v1/${path}`)).status).toBe(400)
    expect((await owner.get(`/billing/v1/${path}?org_id=org_x`)).status).toBe(400)
    expect((await other.owner.get(`/billing/v1/${path}?org_id=${orgId}`)).status).toBe(403)
  }
})

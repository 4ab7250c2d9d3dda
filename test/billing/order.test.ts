import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrganization } from '../../server/access/organizations/organizations.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import {
  type BillingEvent,
  inOrder,
  RANK,
  STATUSES,
  type SubscriptionChange,
} from '../../server/billing/events.ts'
import { keepEvents } from '../../server/billing/keep-events.ts'
import { replayEvents } from '../../server/billing/replay-events.ts'
import { addUp, UNKNOWN } from '../../server/billing/subscription.ts'
import { composeForTest } from '../support/in-process.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'
import { addTenant } from '../support/world.ts'

const graceSeconds = 3600
const RUNS = process.env.MARQUEE_TEST_LONG ? 1000 : 30
const START = Date.parse('2026-01-01T00:00:00Z')

interface Told {
  subscription: number
  organization?: number
  /** In a few seconds only, so that much happens at once. */
  second: number
  kind: SubscriptionChange['kind']
  plan?: SubscriptionChange['plan']
  status?: SubscriptionChange['status']
  endsIn?: number | null
}

const told: fc.Arbitrary<Told> = fc.record(
  {
    subscription: fc.nat(1),
    organization: fc.nat(1),
    second: fc.nat(6),
    kind: fc.constantFrom(...(Object.keys(RANK) as SubscriptionChange['kind'][])),
    plan: fc.constantFrom('free' as const, 'pro' as const, 'custom' as const, 'pay_as_you_go' as const),
    status: fc.constantFrom(...STATUSES),
    endsIn: fc.option(fc.nat(10)),
  },
  { requiredKeys: ['subscription', 'second', 'kind'] },
)

const timeAt = (second: number) => new Date(START + second * 1000).toISOString()

/** The life of subscriptions, and an order in which it is told: all of it, some twice, some at once. */
const lives = fc.array(told, { minLength: 1, maxLength: 12 }).chain((life) => {
  const all = life.map((_, i) => i)
  return fc.record({
    life: fc.constant(life),
    order: fc
      .tuple(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.array(fc.constantFrom(...all), { maxLength: 5 }),
      )
      .chain(([once, again]) =>
        fc.shuffledSubarray([...once, ...again], { minLength: all.length + again.length }),
      ),
    atOnce: fc.integer({ min: 1, max: 4 }),
    lanes: fc.integer({ min: 1, max: 3 }),
  })
})

test('whatever the order, however often and however many at once: the same state', async () => {
  const { sql } = await composeForTest()
  let run = 0
  await fc.assert(
    fc.asyncProperty(lives, async ({ life, order, atOnce, lanes }) => {
      const provider = `run-${run++}`
      const orgIds = await Promise.all(
        [0, 1].map(
          async () => (await createOrganization(OPERATOR, { name: provider, plan: 'custom' }, sql)).id,
        ),
      )
      const events = life.map((one, i): BillingEvent => {
        const { organization, subscription, second, endsIn, kind, plan, status } = one
        const ends = endsIn === undefined ? {} : { ends_at: endsIn === null ? null : timeAt(endsIn) }
        const change = {
          kind,
          ...(organization !== undefined && { org_id: orgIds[organization]! }),
          ...(plan && { plan }),
          ...(status && { status }),
          ...ends,
        }
        const id = `e${(i * 7) % 13}-${i}`
        return {
          provider,
          id,
          scheme: 'standard-webhooks',
          type: kind,
          occurredAt: timeAt(second),
          subscription: `s${subscription}`,
          change,
          body: '{}',
        }
      })
      const waiting = order.map((i) => events[i]!)
      const keepAll = async () => {
        while (waiting.length > 0) {
          const some = waiting.splice(0, atOnce)
          await keepEvents(() => some, { sql, graceSeconds })
        }
      }
      await Promise.all(Array.from({ length: lanes }, keepAll))

      const kept = await sql`
        select id, org_id, plan, status, started_at, period_start, period_end, past_due_since, ends_at
        from billing_subscriptions where provider = ${provider} order by id`
      const ids = [...new Set(events.map(({ subscription }) => subscription!))].sort()
      const expected = ids.map((id) => {
        const mine = events
          .filter(({ subscription }) => subscription === id)
          .map(({ id: event, occurredAt, change }) => ({
            id: event,
            occurredAt,
            rank: RANK[change!.kind],
            change: change!,
          }))
        return { id, ...addUp(UNKNOWN, mine.sort(inOrder)) }
      })
      expect([...kept]).toEqual(expected)

      // All of it is long ago: a plan is what the subscriptions still give today, or free.
      const plans = await sql<{ id: string; plan: string }[]>`
        select o.id, o.current_plan as plan from organizations o where o.id = any(${orgIds})`
      for (const orgId of orgIds) {
        const isNamed = events.some(({ change }) => change!.org_id === orgId)
        const own = expected.filter(({ org_id }) => org_id === orgId)
        const { plan } = plans.find(({ id }) => id === orgId)!
        const giving = own
          .filter(({ status, ends_at }) => ['active', 'trialing'].includes(status!) && ends_at === null)
          .filter((one) => one.plan !== null)
          .sort((a, b) => (a.started_at! < b.started_at! ? 1 : -1))
        const isUnknown = !isNamed || (own.length > 0 && own.every((one) => one.plan === null))
        if (isUnknown) expect(plan).toBe('custom')
        else if (giving.length < 2) expect(plan).toBe(giving[0]?.plan ?? 'free')
        else expect(giving.map((one) => one.plan)).toContain(plan)
      }
    }),
    { numRuns: RUNS },
  )
})

test('many different events at once, of one subscription and of many: all are stored and none is lost', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const tenants = await Promise.all(['a', 'b', 'c'].map((name) => addTenant(service, name, 'free')))
  const now = Date.now()
  const sent = tenants.flatMap(({ orgId }) =>
    Array.from({ length: 40 }, (_, i) => {
      const plan = i === 39 ? 'pay_as_you_go' : 'pro'
      return standardSigned(
        standardEvent('subscription.updated', { org_id: orgId, plan }, now - 40_000 + i * 1000),
      )
    }),
  )
  const shuffled = sent.map((one, i) => ({ one, at: (i * 7919) % 127 })).sort((a, b) => a.at - b.at)
  const answers = await Promise.all(shuffled.map(({ one }) => deliver(service.url, one)))
  expect(answers.every(({ status, body }) => status === 200 && body.status === 'received')).toBe(true)
  for (const { orgId, owner } of tenants)
    expect((await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan).toBe('pay_as_you_go')
})

test('what cannot be saved is not acknowledged and not stored; those beside it are', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const [good, bad] = await Promise.all(['a', 'b'].map((name) => addTenant(service, name, 'free')))
  const planOf = async ({ orgId, owner }: typeof good & {}) =>
    (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan
  await service.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
    create trigger refuse before insert or update on billing_subscriptions for each row
      when (new.org_id = '${bad!.orgId}') execute function refuse()`)
  const signed = [good!, bad!, good!, bad!].map(({ orgId }, i) =>
    standardSigned(
      standardEvent('subscription.updated', { org_id: orgId, plan: 'pro', subscription_id: `s${i}` }),
    ),
  )
  const all = await Promise.all(signed.map((one) => deliver(service.url, one)))
  expect(all.map(({ status }) => status)).toEqual([200, 503, 200, 503])
  expect([await planOf(good!), await planOf(bad!)]).toEqual(['pro', 'free'])
  expect((await service.sql`select from billing_events`).length).toBe(2)

  await service.sql`drop trigger refuse on billing_subscriptions`
  const again = await Promise.all(signed.map((one) => deliver(service.url, one)))
  expect(again.map(({ body }) => body.status)).toEqual(['duplicate', 'received', 'duplicate', 'received'])
  expect(await planOf(bad!)).toBe('pro')
})

test('a subscription that moves to another organization takes its plan along', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const [from, to] = await Promise.all(['from', 'to'].map((name) => addTenant(service, name, 'free')))
  const now = Date.now()
  const tell = (type: string, at: number, data: object) =>
    deliver(service.url, standardSigned(standardEvent(type, { subscription_id: 's', ...data }, at)))
  const plans = async () => {
    const shown = [from!, to!].map(({ orgId, owner }) =>
      owner.get(`/billing/v1/subscription?org_id=${orgId}`),
    )
    return (await Promise.all(shown)).map(({ body }) => body.plan)
  }
  await tell('subscription.created', now - 9000, { org_id: from!.orgId, plan: 'pro' })
  expect(await plans()).toEqual(['pro', 'free'])
  await tell('subscription.updated', now - 8000, { org_id: to!.orgId })
  expect(await plans()).toEqual(['free', 'pro'])
  // Named by its own id only.
  await tell('subscription.canceled', now - 7000, {})
  expect(await plans()).toEqual(['free', 'free'])
})

test('replay ends where it began, and mends what was lost or could not be understood', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { sql } = service
  const tenants = await Promise.all(['a', 'b', 'c'].map((name) => addTenant(service, name, 'free')))
  const tell = (type: string, at: number, data: object) =>
    deliver(service.url, standardSigned(standardEvent(type, data, at)))
  const [a, b, c] = tenants.map(({ orgId }) => orgId)
  const now = Date.now()
  await tell('subscription.created', now - 9000, {
    org_id: a,
    plan: 'pro',
    period_end: '2027-01-01T00:00:00Z',
  })
  await tell('payment.failed', now - 8000, { org_id: a })
  await tell('subscription.created', now - 7000, { org_id: b, subscription_id: 's', plan: 'custom' })
  await tell('subscription.canceled', now - 5000, { org_id: b, subscription_id: 's' })
  await tell('subscription.updated', now - 6000, { org_id: b, subscription_id: 's', status: 'active' })
  await tell('subscription.created', now - 4000, { org_id: c, plan: 'price_new' })
  await tell('something.else', now - 3000, { org_id: c })
  const state = async () => ({
    subscriptions: [...(await sql`select * from billing_subscriptions order by provider, id`)],
    events: [...(await sql`select * from billing_events order by provider, id`)],
    organizations: [...(await sql`select id, plan, plan_until, plan_after from organizations order by id`)],
  })
  const before = await state()
  const prices = new Map<string, never>()
  const counts = { events: 7, subscriptions: 3, organizations: 3 }
  expect(await replayEvents(OPERATOR, { sql, prices, graceSeconds: 604_800 })).toEqual(counts)
  expect(await state()).toEqual(before)

  await sql`delete from billing_subscriptions`
  await sql`update organizations set plan = 'free', plan_until = null, plan_after = null where id in (${a!}, ${b!})`
  await replayEvents(OPERATOR, { sql, prices, graceSeconds: 604_800 })
  expect(await state()).toEqual(before)

  // A price that is known from now on.
  await replayEvents(OPERATOR, { sql, prices: new Map([['price_new', 'pro']]), graceSeconds: 604_800 })
  const [row] = await sql`select plan from organizations where id = ${c!}`
  expect(row!.plan).toBe('pro')
})

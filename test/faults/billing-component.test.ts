import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { INTERNAL_SECRET, startComponent } from '../support/billing-component.ts'
import { startPostgres } from '../support/postgres.ts'
import { freePort } from '../support/postgres-server.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { deliver, standardEvent, standardSigned } from '../support/webhooks.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 2

/** A service that knows no secrets, in front of a component that is not started yet. */
async function wall() {
  const postgres = await startPostgres()
  const port = await freePort()
  const service = await startService({
    dataDir: emptyDataDir(),
    env: {
      MARQUEE_DATABASE_URL: postgres.url,
      MARQUEE_BILLING_URL: `http://127.0.0.1:${port}`,
      MARQUEE_BILLING_INTERNAL_SECRET: INTERNAL_SECRET,
    },
  })
  onTestFinished(async () => {
    await service.stop()
    await postgres.stop()
    discard(service.dataDir)
  })
  const { org_id: orgId, access_token } = service.quickstart
  return {
    postgres,
    port,
    service,
    orgId,
    async plan() {
      const headers = { authorization: `Bearer ${access_token}` }
      return (await service.api.as(headers).get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan
    },
    async stored() {
      const [row] = await postgres.sql<{ count: number }[]>`select count(*) from billing_events`
      return row!.count
    },
  }
}

test('the component on its own: down is 503, up is one effect, wrong is refused as in the process', async () => {
  const { postgres, port, service, orgId, plan, stored } = await wall()
  const signed = standardSigned(standardEvent('subscription.created', { org_id: orgId, plan: 'pro' }))
  const down = await deliver(service.url, signed)
  expect(down.body).toMatchObject({ code: 503, error: 'Service Unavailable' })
  expect(down.headers.get('retry-after')).toBe('1')
  expect([await stored(), await plan()]).toEqual([0, 'custom'])

  // Comes up while the service tries: mostly the provider hears of nothing, and never of a success too early.
  const waiting = deliver(service.url, signed)
  const component = await startComponent(postgres.url, { port })
  onTestFinished(async () => void (await component.stop()))
  let answer = await waiting
  while (answer.status === 503) answer = await deliver(service.url, signed)
  expect(['received', 'duplicate']).toContain(answer.body.status)
  expect((await deliver(service.url, signed)).body).toEqual({ status: 'duplicate' })
  expect([await stored(), await plan()]).toEqual([1, 'pro'])

  const refused = await deliver(service.url, { ...signed, body: `${signed.body} ` })
  expect(refused.body).toMatchObject({ code: 400, error: 'Bad Request' })
  expect((await deliver(service.url, signed, { provider: 'paypal' })).body).toMatchObject({ code: 404 })
  const large = standardSigned(JSON.stringify({ type: 'x', text: ' '.repeat(2 ** 20) }))
  expect((await deliver(service.url, large)).body).toMatchObject({ code: 413 })

  const direct = (path: string, headers: Record<string, string>) =>
    fetch(`${component.url}${path}`, {
      method: 'POST',
      headers: { ...signed.headers, ...headers },
      body: signed.body,
    })
  expect((await direct('/webhooks/payments', {})).status).toBe(401)
  expect((await direct('/webhooks/payments', { authorization: 'Bearer wrong' })).status).toBe(401)
  const authorization = `Bearer ${INTERNAL_SECRET}`
  expect(await (await direct('/webhooks/payments', { authorization })).json()).toEqual({
    status: 'duplicate',
  })
  expect((await direct('/elsewhere', { authorization })).status).toBe(404)
  expect((await fetch(`${component.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${component.url}/readyz`)).status).toBe(200)
  expect(await component.stop()).toBe(0)
})

test('killed inside the processing of an event: nothing is kept of it, and it has one effect afterwards', async () => {
  const { postgres, port, service, orgId, plan, stored } = await wall()
  let component = await startComponent(postgres.url, { port })
  const signed = standardSigned(standardEvent('subscription.created', { org_id: orgId, plan: 'pro' }))
  // Somebody holds the organization: the event is stored in a transaction that cannot go on.
  const holding = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holder = postgres.sql.begin(async (tx) => {
    await tx`select from organizations where id = ${orgId} for update`
    held.resolve()
    await holding.promise
  })
  await held.promise
  const answer = deliver(service.url, signed)
  const isInside = async () => {
    const waiting = await postgres.sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for no key update%'`
    return waiting.length > 0
  }
  while (!(await isInside())) await sleep(10)
  await component.kill()
  expect((await answer).status).toBe(503)
  holding.resolve()
  await holder
  expect([await stored(), await plan()]).toEqual([0, 'custom'])

  component = await startComponent(postgres.url, { port })
  expect((await deliver(service.url, signed)).body).toEqual({ status: 'received' })
  expect((await deliver(service.url, signed)).body).toEqual({ status: 'duplicate' })
  expect([await stored(), await plan()]).toEqual([1, 'pro'])
  await component.stop()
})

test(`killed ${KILLS} times while events come: what was acknowledged is there, and each has one effect`, {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const { postgres, port, service, orgId, stored } = await wall()
  let component = await startComponent(postgres.url, { port })
  const acknowledged = new Set<string>()
  let sent = 0
  let isOver = false

  /** As a provider does: the same event again and again, until it is acknowledged. */
  async function send(): Promise<void> {
    while (!isOver) {
      const id = `msg_${sent++}`
      const body = standardEvent('subscription.updated', { org_id: orgId, plan: 'pro' }, Date.now())
      for (;;) {
        const { status } = await deliver(service.url, standardSigned(body, { id }))
        if (status === 200) break
        expect(status).toBe(503)
      }
      acknowledged.add(id)
    }
  }
  const senders = Array.from({ length: 4 }, send)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = acknowledged.size
    while (acknowledged.size < before + 5 + ((kill * 7) % 11)) await sleep(1)
    await component.kill()
    const ids = await postgres.sql<{ id: string }[]>`select id from billing_events`
    const kept = new Set(ids.map(({ id }) => id))
    expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([])
    component = await startComponent(postgres.url, { port })
  }
  isOver = true
  await Promise.all(senders)
  expect([await stored(), acknowledged.size]).toEqual([sent, sent])
  await component.stop()
})

test('a component without secrets in its settings knows the one that the first start made', async () => {
  const { postgres, port, service, orgId } = await wall()
  const env = { MARQUEE_BILLING_SECRETS: '' }
  const component = await startComponent(postgres.url, { port, env })
  onTestFinished(async () => void (await component.stop()))
  const event = standardEvent('subscription.created', { org_id: orgId, plan: 'pro' })
  const { webhook_secret: secret } = service.quickstart
  expect((await deliver(service.url, standardSigned(event, { secret }))).body).toEqual({ status: 'received' })
  expect(await deliver(service.url, standardSigned(event))).toMatchObject({ status: 400 })
  const stripe = await deliver(service.url, standardSigned(event), { provider: 'stripe' })
  expect(stripe.body.details).toBe('the payment provider stripe has no secret in MARQUEE_BILLING_SECRETS')
  expect(component.output()).toContain('the payment provider stripe has no secret')
})

test('a component whose database is not there yet answers 503 and waits; one without a secret does not start', async () => {
  const port = await freePort()
  const component = await startComponent(`postgres://marquee@127.0.0.1:${port}/postgres`, {
    until: /http:\S+\n/,
  })
  const answer = await fetch(`${component.url}/webhooks/payments`, { method: 'POST' })
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 503 })])
  expect(await component.stop()).toBe(0)
  await expect(
    startComponent('postgres://x', { env: { MARQUEE_BILLING_INTERNAL_SECRET: 'short' } }),
  ).rejects.toThrow(/MARQUEE_BILLING_INTERNAL_SECRET: needs at least 16 characters/)
})

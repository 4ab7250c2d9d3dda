import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'
import { addTenant } from '../support/world.ts'

test('fifty completes at once make one image, one job, one answer', async () => {
  const { api, sql } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { send, complete } = uploaderOf(api)
  const id = await send(await smallJpeg())
  const answers = await Promise.all(Array.from({ length: 50 }, () => complete(id)))
  expect(new Set(answers.map(({ status, body }) => JSON.stringify({ status, body }))).size).toBe(1)
  expect(answers[0]!.status).toBe(200)
  expect(await sql`select from images`).toHaveLength(1)
  expect(await sql`select from jobs`).toHaveLength(1)
})

test('the same event a hundred times at once has one effect', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId, owner } = await addTenant(service, 'acme', 'free')
  const signed = standardSigned(standardEvent('subscription.created', { org_id: orgId, plan: 'pro' }))
  const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(service.url, signed)))
  const statuses = answers.map(({ status, body }) => `${status} ${body.status}`).sort()
  expect(statuses).toEqual([...Array(99).fill('200 duplicate'), '200 received'])
  const [count] = await service.sql`select count(*) as events from billing_events`
  expect(count!.events).toBe(1)
  expect((await owner.get('/billing/v1/plans')).status).toBe(200)
  expect((await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan).toBe('pro')
})

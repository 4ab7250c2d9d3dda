import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { forgetMessages } from '../../server/webhooks/dispatch-store.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { says, scriptedServer } from '../support/scripted-server.ts'
import { addTenant } from '../support/world.ts'
import { receiverOf, TELLS_LOOPBACK } from './receiver.ts'

const compose = () => composeForTest({ env: { ...TELLS_LOOPBACK, MARQUEE_WEBHOOK_FIRST_PAUSE: '5' } })

function receiver({ api, seed }: InProcess, ...steps: Parameters<typeof scriptedServer>) {
  return receiverOf({ api, orgId: seed.org_id, projectId: seed.project_id }, steps)
}

/** Tells an endpoint something, and answers how that delivery stands. */
async function tellTest({ api }: InProcess, path: string) {
  const { body } = await api.post(`${path}/test`)
  const address = `${path}/deliveries/${body.id}`
  return { address, id: body.id, now: async () => (await api.get(address)).body }
}

const isTriedAgainIn = ({
  next_attempt_at,
  tries,
}: {
  next_attempt_at: string
  tries: { started_at: string }[]
}) => (Date.parse(next_attempt_at) - Date.parse(tries[0]!.started_at)) / 1000

test('a replay begins with the first pause, however often it was tried before', async () => {
  const service = await compose()
  const one = await receiver(service, says(500))
  const delivery = await tellTest(service, one.path)
  await expect.poll(async () => (await delivery.now()).tries.length).toBe(1)
  await service.sql`update webhook_deliveries set state = 'failed', attempts = 12`
  expect((await service.api.post(`${delivery.address}/replay`)).status).toBe(202)
  await expect.poll(async () => (await delivery.now()).tries.length).toBe(2)
  const replayed = await delivery.now()
  expect(replayed).toMatchObject({ state: 'pending', attempts: 13 })
  expect(isTriedAgainIn(replayed)).toBeLessThan(60)
})

test('at another address an endpoint is told at once, and has not failed yet', async () => {
  const service = await compose()
  const one = await receiver(service, says(503, {}, { 'retry-after': '7200' }))
  const delivery = await tellTest(service, one.path)
  await expect.poll(async () => (await service.api.get(one.path)).body.webhook.failing_since).toBeDefined()
  const kept = await service.api.patch(one.path, { url: one.webhook.url, description: 'the same address' })
  expect(kept.body.webhook.failing_since).toBeDefined()
  const other = await scriptedServer(says(204))
  const moved = await service.api.patch(one.path, { url: `${other.url}/hook` })
  expect(moved.body.webhook).not.toHaveProperty('failing_since')
  await expect.poll(async () => (await delivery.now()).state).toBe('delivered')
  expect(other.heard).toHaveLength(1)
  expect(one.heard).toHaveLength(1)
})

/** An endpoint that has been called, and answers when the test says so. */
async function callUnderWay(service: InProcess) {
  let answer: ServerResponse | undefined
  const one = await receiver(
    service,
    (response) => {
      answer = response
    },
    says(204),
  )
  const delivery = await tellTest(service, one.path)
  await expect.poll(() => answer).toBeDefined()
  return {
    one,
    delivery,
    end: (status: number) => answer!.writeHead(status, { 'retry-after': '7200' }).end(),
  }
}

test('what came of the old address while it was exchanged does not hold up the new one', async () => {
  const service = await compose()
  const { one, delivery, end } = await callUnderWay(service)
  const other = await scriptedServer(says(204))
  await service.api.patch(one.path, { url: `${other.url}/hook` })
  end(500)
  await expect.poll(async () => (await delivery.now()).state).toBe('delivered')
  expect(other.heard).toHaveLength(1)
  expect((await service.api.get(one.path)).body.webhook).not.toHaveProperty('failing_since')
})

test('a call that was under way when its endpoint was switched off is written down, taken or not', async () => {
  const service = await compose()
  for (const [status, state] of [
    [204, 'delivered'],
    [500, 'failed'],
  ] as const) {
    const { one, delivery, end } = await callUnderWay(service)
    await service.api.patch(one.path, { enabled: false })
    expect(await delivery.now()).toMatchObject({ state: 'failed', tries: [] })
    end(status)
    await expect.poll(async () => (await delivery.now()).tries.length).toBe(1)
    expect(await delivery.now()).toMatchObject({ state, tries: [{ response: { status } }] })
  }
})

test('the list of what happened goes on from its cursor, though what it was last told of is gone', async () => {
  const service = await compose()
  const { api, sql } = service
  const tenant = await addTenant(service, 'other')
  const end = async () => Number((await api.get('/webhooks/v1/messages')).body.next_cursor)
  const happens = async (to: typeof api) => {
    const before = await end()
    await uploaderOf(to).upload(await smallJpeg())
    await expect.poll(end).toBeGreaterThan(before)
  }
  const theirs = api.as({ 'X-API-Key': tenant.secretKey })
  await happens(theirs)
  await happens(api)
  await happens(theirs)
  const goes = {
    'a project': () => sql`delete from projects where id = ${tenant.projectId}`,
    'what is old': () => forgetMessages(sql, -60),
  }
  for (const [what, go] of Object.entries(goes)) {
    const cursor = await end()
    await go()
    expect(await end(), what).toBe(cursor)
    await happens(api)
    const { body } = await api.get(`/webhooks/v1/messages?after=${cursor}`)
    expect(body.data, what).toMatchObject([{ type: 'image.ready' }])
  }
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { discard, freshDataDir, killAllIn, serviceForTest, startService } from '../support/service.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 2

test('the database down: 503 until it is stored, then one effect', async () => {
  const service = await serviceForTest({ env: PROVIDERS })
  const { org_id: orgId, access_token } = service.quickstart
  const owner = service.api.as({ authorization: `Bearer ${access_token}` })
  const subscription = async () => (await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body
  for (const [i, plan] of [
    'pro',
    'pay_as_you_go',
    'free',
    'pro',
    'free',
    'custom',
    'free',
    'pro',
  ].entries()) {
    const signed = standardSigned(
      standardEvent('subscription.updated', { org_id: orgId, plan }, Date.now() + i),
    )
    killAllIn(service.dataDir)
    let answer = await deliver(service.url, signed)
    while (answer.status !== 200) {
      expect(answer.body).toMatchObject({ code: 503, error: 'Service Unavailable' })
      await sleep(20)
      answer = await deliver(service.url, signed)
    }
    expect(['received', 'duplicate']).toContain(answer.body.status)
    expect((await deliver(service.url, signed)).body).toEqual({ status: 'duplicate' })
    expect(await subscription()).toMatchObject({ plan, status: 'active' })
  }
})

test(`the service killed ${KILLS} times while events come: none that was acknowledged is lost, none counts twice`, {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const dataDir = freshDataDir()
  let service = await startService({ dataDir, env: PROVIDERS })
  const { org_id: orgId } = service.quickstart
  const unacknowledged = new Map<string, string>()
  const acknowledged = new Set<string>()
  let sent = 0

  async function send(): Promise<void> {
    try {
      for (;;) {
        const id = `msg_${sent++}`
        const body = standardEvent('subscription.updated', { org_id: orgId, plan: 'pro' })
        unacknowledged.set(id, body)
        const { status } = await deliver(service.url, standardSigned(body, { id }))
        if (status !== 200) continue
        unacknowledged.delete(id)
        acknowledged.add(id)
      }
    } catch {
      // Killed in the middle of something.
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const before = acknowledged.size
    const senders = Array.from({ length: 4 }, send)
    while (acknowledged.size < before + 5 + ((kill * 7) % 11)) await sleep(1)
    await service.kill()
    await Promise.all(senders)
    service = await startService({ dataDir, env: PROVIDERS })
    // What was acknowledged is there: to send it again changes nothing.
    for (const id of [...acknowledged].slice(before)) {
      const again = await deliver(service.url, standardSigned('{}', { id }))
      expect(again.body).toEqual({ status: 'duplicate' })
    }
  }
  for (const [id, body] of unacknowledged)
    expect((await deliver(service.url, standardSigned(body, { id }))).status).toBe(200)
  const owner = service.api.as({ authorization: `Bearer ${service.quickstart.access_token}` })
  expect((await owner.get(`/billing/v1/subscription?org_id=${orgId}`)).body.plan).toBe('pro')
  await service.stop()
  discard(dataDir)
})

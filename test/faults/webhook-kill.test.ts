import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { hangsUp, keepsSilent, says } from '../support/scripted-server.ts'
import { discard, freshDataDir, killAllIn, startService } from '../support/service.ts'
import { faultsIn, type Happened } from '../webhooks/check-history.ts'
import { receiverOf, TELLS_LOOPBACK } from '../webhooks/receiver.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 3

test(`over ${KILLS} kills of the service or of its database, a receiver that fails is told what happened, and nothing else`, {
  timeout: KILLS * 60_000 + 180_000,
}, async () => {
  const dataDir = freshDataDir()
  const env = { ...TELLS_LOOPBACK, MARQUEE_WEBHOOK_TIMEOUT: '1' }
  const picture = await smallJpeg()
  let service = await startService({ dataDir, env })
  const { org_id: orgId, project_id: projectId } = service.quickstart
  // Every third answer is a fault of some kind.
  const faults = [
    says(500),
    hangsUp,
    keepsSilent,
    says(302, {}, { location: 'http://127.0.0.1:1/' }),
    says(429),
  ]
  const steps = Array.from({ length: 3000 }, (_, i) =>
    i % 3 === 0 ? faults[(i / 3) % faults.length]! : says(204),
  )
  const receiver = await receiverOf({ api: service.api, orgId, projectId }, steps as [(typeof steps)[number]])
  const happened: Happened = new Map()
  const maybe: Happened = new Map()

  /** Uploads and deletes pictures until the service is gone. */
  async function writer(): Promise<void> {
    const { send, complete } = uploaderOf(service.api)
    let id = ''
    let asked = ''
    try {
      for (;;) {
        id = await send(picture)
        asked = 'image.ready'
        if ((await complete(id)).status !== 200) continue
        happened.set(id, ['image.ready'])
        asked = 'image.deleted'
        if ((await service.api.delete(`/images/${id}`)).status === 204)
          happened.get(id)!.push('image.deleted')
        asked = ''
      }
    } catch {
      // Cut off: whether it happened is not known.
      if (asked) maybe.set(id, [asked])
    }
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const before = happened.size
    const writers = Array.from({ length: 2 }, writer)
    while (happened.size < before + 3) await sleep(5)
    await sleep((kill * 53) % 700)
    // The last time the database goes as well, as with the power.
    if (kill % 3 === 2) killAllIn(dataDir)
    await service.kill()
    await Promise.all(writers)
    service = await startService({ dataDir, env })
    // Verified while they are new enough to be.
    receiver.told()
  }

  const pending = async () =>
    (await service.api.get(`${receiver.path}/deliveries?state=pending`)).body.pagination.total
  // A try that a kill broke off counts as one: after the sixth, the pause is four minutes.
  await expect.poll(pending, { timeout: KILLS * 10_000 + 300_000, interval: 500 }).toBe(0)
  expect((await service.api.get(`${receiver.path}/deliveries?state=failed`)).body.pagination.total).toBe(0)
  await expect
    .poll(() => faultsIn(receiver.told(), happened, maybe), { timeout: 30_000, interval: 500 })
    .toEqual([])
  expect(happened.size).toBeGreaterThanOrEqual(KILLS * 3)
  await service.stop()
  discard(dataDir)
})

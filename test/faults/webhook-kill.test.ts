import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { hangsUp, keepsSilent, says } from '../support/scripted-server.ts'
import { discard, freshDataDir, killAllIn, startService } from '../support/service.ts'
import { faultsIn, type Happened } from '../webhooks/check-history.ts'
import { receiverOf, TELLS_LOOPBACK } from '../webhooks/receiver.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 3
const WAYS = ['the service', 'the database', 'both'] as const

test(`over ${KILLS} kills of the service, of its database and of both, a receiver that fails is told what happened, and nothing else`, {
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

  // Each is verified while it is new enough to be, however long a round takes.
  const verifying = setInterval(() => receiver.told(), 1000)
  onTestFinished(() => clearInterval(verifying))

  /** Answers that are neither what was asked for nor that the database is not there. */
  const odd: string[] = []
  let stopping = false

  /** Uploads and deletes pictures until it is told to stop. */
  async function writer(): Promise<void> {
    while (!stopping) await story().catch(() => sleep(50))
  }

  async function story(): Promise<void> {
    const { send, complete } = uploaderOf(service.api)
    const id = await send(picture)
    if (!(await isDone(id, 'image.ready', complete(id), 200))) return
    happened.set(id, ['image.ready'])
    if (await isDone(id, 'image.deleted', service.api.delete(`/images/${id}`), 204))
      happened.get(id)!.push('image.deleted')
  }

  /** What a connection leaves open that was cut, to the service or to its database, may have happened or not. */
  async function isDone(id: string, asked: string, answer: Promise<{ status: number }>, done: number) {
    maybe.set(id, [asked])
    const { status } = await answer
    if (status === done) maybe.delete(id)
    else if (status !== 503) odd.push(`${asked} of ${id} answered ${status}`)
    return status === done
  }

  /** The service stays, and starts its database again. */
  async function killDatabase(writers: Promise<void>[]): Promise<void> {
    killAllIn(dataDir)
    // Some ask while it is away.
    await sleep(100)
    stopping = true
    await Promise.all(writers)
    const isBack = async () => (await service.api.get('/project')).status
    await expect.poll(isBack, { timeout: 60_000 }).toBe(200)
  }

  for (let kill = 0; kill < KILLS; kill++) {
    const before = happened.size
    stopping = false
    const writers = Array.from({ length: 2 }, writer)
    while (happened.size < before + 3) await sleep(5)
    await sleep((kill * 53) % 700)
    const way = WAYS[kill % WAYS.length]
    if (way === 'the database') await killDatabase(writers)
    else {
      // As with the power.
      if (way === 'both') killAllIn(dataDir)
      await service.kill()
      stopping = true
      await Promise.all(writers)
      service = await startService({ dataDir, env })
    }
  }
  expect(odd).toEqual([])

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

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { embeddedSocket } from '../../server/platform/postgres/embedded.ts'
import { uploaderOf } from '../support/media.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { hangsUp, keepsSilent, neverEnds, says, saysLess } from '../support/scripted-server.ts'
import { discard, freshDataDir, killAllIn, startService } from '../support/service.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { faultsIn, type Happened } from '../webhooks/check-history.ts'
import { receiverOf, TELLS_LOOPBACK } from '../webhooks/receiver.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 50 : 3
const WAYS = ['the service', 'the database', 'both'] as const

test(`over ${KILLS} kills of the service, of its database and of both, a receiver that fails and lies is told what happened, and nothing else`, {
  timeout: KILLS * 60_000 + 180_000,
}, async () => {
  const dataDir = freshDataDir()
  const env = { ...TELLS_LOOPBACK, MARQUEE_WEBHOOK_TIMEOUT: '1', MARQUEE_SWEEP_INTERVAL: '1' }
  const picture = await smallJpeg()
  const film = await clip()
  let service = await startService({ dataDir, env })
  const { org_id: orgId, project_id: projectId } = service.quickstart
  // Every third answer is a fault of some kind.
  const faults = [
    says(500),
    hangsUp,
    keepsSilent,
    says(302, {}, { location: 'http://127.0.0.1:1/' }),
    says(429),
    saysLess,
    neverEnds,
  ]
  const steps = Array.from({ length: 3000 }, (_, i) =>
    i % 3 === 0 ? faults[(i / 3) % faults.length]! : says(204),
  )
  const receiver = await receiverOf({ api: service.api, orgId, projectId }, steps as [(typeof steps)[number]])
  const feed = await service.api.post('/feeds', { name: 'News' })
  const sql = connect({ socket: embeddedSocket(dataDir) }, { max: 2 })
  onTestFinished(() => sql.end())
  const happened: Happened = new Map()
  const maybe: Happened = new Map()

  // Each is verified while it is new enough to be, however long a round takes.
  const verifying = setInterval(() => receiver.told(), 1000)
  onTestFinished(() => clearInterval(verifying))

  /** Answers that are neither what was asked for nor that the database is not there. */
  const odd: string[] = []
  let stopping = false

  /** Stories that were begun, and those that came to their ends since the last kill. */
  let begun = 0
  const ended = new Set<Story>()

  /** Has one thing after the other happen until it is told to stop. */
  async function writer(): Promise<void> {
    while (!stopping) {
      const story = stories[begun++ % stories.length]!
      await story().then(
        () => ended.add(story),
        () => sleep(50),
      )
    }
  }

  type Story = () => Promise<void>
  const stories: Story[] = [
    async function picturesComeAndGo() {
      const { send, complete } = uploaderOf(service.api)
      const id = await send(picture)
      await isDone({ [id]: ['image.ready'] }, complete(id))
      await isDone({ [id]: ['image.deleted'] }, service.api.delete(`/images/${id}`))
    },
    async function postsComeAndGo() {
      const { base, send, complete } = authorOf(service.api, projectId, feed.body.id)
      const { post_id, content_id } = await send(picture)
      await isDone({ [content_id]: ['image.ready'], [post_id]: ['post.published'] }, complete(post_id))
      await isDone({ [post_id]: ['post.deleted'] }, service.api.delete(`${base}/${post_id}`))
    },
    async function filmsComeAndGo() {
      const { send, complete } = videoUploaderOf(service.api)
      const { video_id: id } = await send(film)
      // What is taken is made, whoever is killed meanwhile.
      await isDone({ [id]: ['video.ready', 'video.processed'] }, complete(id))
      for (;;) {
        const { status, body } = await service.api.get(`/videos/${id}/progress`)
        if (status >= 300) throw new Error(`progress was answered ${status}`)
        if (body.status === 'complete') break
        if (stopping) throw new Error('it is made after the kill')
        await sleep(50)
      }
      await isDone({ [id]: ['video.deleted'] }, service.api.delete(`/videos/${id}`))
    },
    async function keysAreRotated() {
      const keys = `/organizations/${orgId}/api-keys/v1`
      const { status, body } = await service.api.post(keys, { name: 'Backend', project_id: projectId })
      if (status >= 300) throw new Error(`a key was answered ${status}`)
      const { id } = body.api_key
      await isDone({ [id]: ['key.rotated'] }, service.api.post(`${keys}/${id}/rotate`, { grace_seconds: 60 }))
    },
    async function uploadsExpire() {
      const { status, body } = await uploaderOf(service.api).init()
      if (status >= 300) throw new Error(`an upload was answered ${status}`)
      const { image_id: id } = body
      // From then on the sweeper is to find it, and what it finds is told.
      const expired = sql`
        update files set upload_expires = upload_expires - interval '2 hours'
        where id = (select file_id from images where id = ${id})`
      await isDone(
        { [id]: ['upload.expired'] },
        expired.then(() => ({ status: 200 })),
      )
    },
  ]

  /**
   * Notes what has happened. What a connection leaves open that was cut, to the service or to its database, may have happened
   * or not: then the story ends there.
   */
  async function isDone(asked: Record<string, string[]>, answer: Promise<{ status: number }>): Promise<void> {
    for (const [id, kinds] of Object.entries(asked)) maybe.set(id, kinds)
    const { status } = await answer
    if (status >= 300) {
      const kinds = Object.values(asked).flat().join(' and ')
      if (status !== 503) odd.push(`${kinds} answered ${status}`)
      throw new Error(`${kinds} may not have happened`)
    }
    for (const [id, kinds] of Object.entries(asked)) {
      maybe.delete(id)
      happened.set(id, [...(happened.get(id) ?? []), ...kinds])
    }
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
    stopping = false
    ended.clear()
    const writers = Array.from({ length: 2 }, writer)
    while (ended.size < stories.length) await sleep(5)
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
    .poll(() => faultsIn(receiver.told(), happened, maybe), { timeout: 120_000, interval: 500 })
    .toEqual([])
  const kinds = new Set([...happened.values()].flat())
  expect([...kinds].toSorted()).toEqual([
    'image.deleted',
    'image.ready',
    'key.rotated',
    'post.deleted',
    'post.published',
    'upload.expired',
    'video.deleted',
    'video.processed',
    'video.ready',
  ])
  expect(happened.size).toBeGreaterThanOrEqual(KILLS * stories.length)
  await service.stop()
  discard(dataDir)
})

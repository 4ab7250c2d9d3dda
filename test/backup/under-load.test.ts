import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { scratchFolder } from '../support/backups.ts'
import { videoOf, watching } from '../support/events.ts'
import { marquee } from '../support/marquee.ts'
import { uploaderOf } from '../support/media.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'

const BACKUPS = process.env.MARQUEE_TEST_LONG ? 12 : 2

/** Something that a client has asked for: when it began, and when it was told that it is done. */
interface Deed {
  kind: 'image' | 'deletion' | 'feed' | 'events'
  id: string
  begun: number
  acknowledged?: number
}

test('of a service in use, a restored backup has all that was acknowledged before its moment, and nothing begun after it', {
  timeout: 120_000 + BACKUPS * 60_000,
}, async () => {
  const service = await startService({ env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })
  onTestFinished(async () => {
    await service.stop()
    discard(service.dataDir)
  })
  const { api } = service
  const place = path.join(scratchFolder(), 'backups')
  const deeds: Deed[] = []
  let isOver = false
  const picture = await scene(64, 64).jpeg().toBuffer()

  async function noted(kind: Deed['kind'], id: string, work: () => Promise<{ status: number; id?: string }>) {
    const deed: Deed = { kind, id, begun: Date.now() }
    deeds.push(deed)
    const answer = await work()
    deed.id = answer.id ?? id
    if (answer.status < 300) deed.acknowledged = Date.now()
    return deed
  }
  async function images(): Promise<void> {
    const { send, complete } = uploaderOf(api)
    for (let i = 0; !isOver; i++) {
      const id = await send(picture)
      await noted('image', id, () => complete(id))
      if (i % 3 === 2) await noted('deletion', id, () => api.delete(`/images/${id}`))
    }
  }
  async function feeds(): Promise<void> {
    while (!isOver)
      await noted('feed', '', async () => {
        const { status, body } = await api.post('/feeds', { name: 'a feed', allow_images: true })
        return { status, id: body.id }
      })
  }
  let videos = 0
  async function events(): Promise<void> {
    while (!isOver) {
      const video = videoOf(++videos)
      await noted('events', video, () => api.post('/analytics/v1/events', watching(video, 3)))
    }
  }
  const load = Promise.all([images(), images(), feeds(), events()])
  const made: { id: string; moment: string; taken: string; missing: string[] }[] = []
  for (let i = 0; i < BACKUPS; i++) {
    await sleep(500)
    const answer = await marquee(service.dataDir, 'backup', place, '--json')
    expect(answer.code, answer.err).toBe(0)
    made.push(answer.json())
  }
  isOver = true
  await load

  const newest = made.at(-1)!
  expect(newest.missing).toEqual([])
  const verified = await marquee(service.dataDir, 'verify', place, '--json')
  expect(verified.json()).toMatchObject({ id: newest.id, problems: [] })
  const refused = await marquee(service.dataDir, 'restore', place)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toMatch(/Stop it first/)
  await service.stop()
  expect((await marquee(service.dataDir, 'restore', place)).err).toMatch(/not empty.*--force/)

  const dataDir = emptyDataDir()
  const restored = await marquee(dataDir, 'restore', place, '--at', made[0]!.moment, '--json')
  expect(restored.code, restored.err).toBe(0)
  expect(restored.json()).toMatchObject({ id: made[0]!.id })
  const forced = await marquee(dataDir, 'restore', place, '--force', '--json')
  expect(forced.err).toMatch(/put aside/)
  expect(forced.json()).toMatchObject({ id: newest.id })
  expect(existsSync(path.join(dataDir, 'restoring'))).toBe(false)

  const again = await startService({ dataDir, env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })
  onTestFinished(async () => {
    await again.stop()
    discard(dataDir)
  })
  const [moment, taken] = [Date.parse(newest.moment), Date.parse(newest.taken)]
  /** Whether it must be there; undefined where either is right. */
  const isDue = ({ begun, acknowledged }: Deed) =>
    acknowledged !== undefined && acknowledged < moment ? true : begun > taken ? false : undefined
  const deletions = new Map(deeds.filter(({ kind }) => kind === 'deletion').map((deed) => [deed.id, deed]))
  const isThere: Record<Deed['kind'], (id: string) => Promise<boolean>> = {
    async image(id) {
      const { status, body } = await again.api.get(`/images/${id}`)
      if (status !== 200) return false
      const file = await fetch(body.file.url.replace('localhost', '127.0.0.1'))
      return file.status === 200 && (await file.arrayBuffer()).byteLength > 0
    },
    deletion: async (id) => (await again.api.get(`/images/${id}`)).status === 404,
    feed: async (id) => (await again.api.get(`/feeds/${id}`)).status === 200,
    async events(id) {
      const { status, body } = await again.api.get(`/analytics/v1/videos/${id}/stats`)
      expect(status).toBe(200)
      expect([0, 3]).toContain(body.watches)
      return body.watches === 3
    },
  }
  const checked = { due: 0, undue: 0 }
  for (const deed of deeds) {
    const due = isDue(deed)
    const deletion = deletions.get(deed.id)
    if (due === undefined || (deed.kind === 'image' && deletion && isDue(deletion) !== false)) continue
    // One whose image was not there yet, either.
    if (
      deed.kind === 'deletion' &&
      due === false &&
      !isDue(deeds.find(({ id, kind }) => id === deed.id && kind === 'image')!)
    )
      continue
    expect(await isThere[deed.kind](deed.id), JSON.stringify({ deed, moment, taken })).toBe(due)
    checked[due ? 'due' : 'undue']++
  }
  expect(checked.due).toBeGreaterThan(20)
  expect(checked.undue).toBeGreaterThan(5)
})

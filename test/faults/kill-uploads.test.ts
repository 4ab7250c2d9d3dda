import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { bytesOnDisk, local, objectsOnDisk, uploaderOf } from '../support/media.ts'
import { discard, freshDataDir, startService, type TestService } from '../support/service.ts'

const STORIES = process.env.MARQUEE_TEST_LONG ? 200 : 2

// Addresses end soon, so that what was cut off is swept while the test looks on.
const ENV = { MARQUEE_UPLOAD_LIFETIME: '20', MARQUEE_SWEEP_INTERVAL: '1' }

test(`kill -9 at random points of ${STORIES} upload stories`, {
  timeout: 180_000 + STORIES * 20_000,
}, async () => {
  const dataDir = freshDataDir()
  const photo = await scene(480, 300).jpeg().toBuffer()
  const live = new Map<string, string>()
  const gone = new Set<string>()
  let completed = 0

  /** One story; each thing the service says is written down the moment it says so. */
  async function story(service: TestService, number: number): Promise<void> {
    const { send, complete } = uploaderOf(service.api)
    const image = await complete(await send(photo, `story ${number}.jpg`))
    if (image.status !== 200) return
    live.set(image.body.id, image.body.file.url)
    completed++
    if (number % 3 !== 0) return
    // Whether a deletion that was not answered took place is open; one that was is final.
    live.delete(image.body.id)
    const deleted = await service.api.delete(`/images/${image.body.id}`)
    if (deleted.status === 204) gone.add(image.body.id)
  }

  async function checkPromises(service: TestService): Promise<void> {
    for (const [id, url] of live) {
      const path = new URL(url).pathname
      const served = await fetch(service.url + path)
      expect(served.status, `${id} was acknowledged`).toBe(200)
      expect((await served.arrayBuffer()).byteLength, id).toBe(Number(served.headers.get('content-length')))
    }
    for (const id of gone)
      expect((await service.api.get(`/images/${id}`)).status, `${id} was deleted`).toBe(404)
  }

  for (let number = 1; number <= STORIES; number++) {
    const service = await startService({ dataDir, env: ENV })
    // Every tenth story and the first is let through to its end, so that there always is something to lose.
    const point = number % 10 === 1 ? undefined : Math.random() * 500
    const told = story(service, number).catch(() => {})
    if (point === undefined) await told
    else await sleep(point)
    await service.kill()
    await told
  }
  expect(completed).toBeGreaterThan(0)

  const service = await startService({ dataDir, env: ENV })
  await checkPromises(service)
  // Uploads that nobody completed are swept, images are still made smaller; then everything adds up.
  const images = async () => (await service.api.get('/images?limit=100')).body
  const isSettled = async () => {
    const { pagination } = await images()
    const served = objectsOnDisk(dataDir).filter((file) => file.endsWith('.avif')).length
    const strays = objectsOnDisk(dataDir).filter((file) => !file.includes('/media/')).length
    return (
      strays === 0 &&
      served === pagination.total &&
      objectsOnDisk(dataDir).length === 2 * pagination.total &&
      readdirSync(`${dataDir}/work`).length === 0 &&
      (await service.api.get('/project')).body.storage_used === bytesOnDisk(dataDir)
    )
  }
  while (!(await isSettled())) await sleep(200)
  await checkPromises(service)
  const one = (await images()).data[0]
  if (one) expect((await fetch(local(one.file.url))).status).toBe(200)
  await service.stop()
  discard(dataDir)
})

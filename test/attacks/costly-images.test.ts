import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { costlyImages } from '../fixtures/costly-images.ts'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { objectsOnDisk, uploaderOf } from '../support/media.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'
import { addTenant } from '../support/world.ts'

const costly = await costlyImages()

test('each is refused as an image, and nothing of it is kept', async () => {
  const { api, dataDir } = await composeForTest()
  for (const [, content, told] of costly) {
    const { body } = await uploaderOf(api).upload(content)
    expect(body).toEqual({ code: 400, error: 'Invalid request body', details: told })
    await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
  }
})

test('none of them is taken as a poster or as a thumbnail', async () => {
  const service = await composeForTest()
  const { api, dataDir } = service
  const { send, put, complete } = videoUploaderOf(api)
  const { video_id, poster_presigned_url } = await send(await clip(1))
  for (const [, content, told] of costly) {
    await put(poster_presigned_url, content)
    const refused = await complete(video_id)
    expect(refused.body).toEqual({ code: 400, error: 'Invalid request body', details: `poster: ${told}` })
    await expect.poll(() => objectsOnDisk(dataDir)).toHaveLength(1)
  }
  await put(poster_presigned_url, await scene(320, 200).jpeg().toBuffer())
  expect((await complete(video_id)).status).toBe(200)
  const forms = formsOf(service)
  // What has more than a thumbnail may have is refused for that alone.
  for (const [, content, told] of costly.filter(([, { length }]) => length < 5 * 2 ** 20)) {
    const thumbnail = { name: 'thumbnail', content }
    const refused = await forms.put(`/videos/${video_id}/thumbnail`, ['thumbnail', thumbnail])
    expect(refused.body).toEqual({ code: 400, error: 'Bad Request', details: `thumbnail: ${told}` })
  }
})

test('a tenant that keeps every child busy does not make another wait for its jobs to end', async () => {
  const service = await composeForTest()
  const attacker = uploaderOf(service.api)
  const other = await addTenant(service, 'other')
  const victim = uploaderOf(service.api.as(key(other.secretKey)))
  const heavy = await scene(3000, 2000).png({ compressionLevel: 1 }).toBuffer()
  const sent: string[] = []
  for (let i = 0; i < 2 * availableParallelism() + 2; i++) sent.push(await attacker.send(heavy))
  const photo = await victim.send(await scene(640, 400).jpeg().toBuffer())

  const answered: string[] = []
  const attack = sent.map(async (id) => {
    expect((await attacker.complete(id)).status).toBe(200)
    answered.push('attacker')
  })
  const begun = () => service.sql`select from files where status in ('processing', 'ready')`
  while ((await begun()).length < sent.length) await sleep(10)
  expect((await victim.complete(photo)).status).toBe(200)
  answered.push('victim')
  await Promise.all(attack)
  // Those that were running already may be answered first; those that waited may not.
  expect(answered.indexOf('victim')).toBeLessThanOrEqual(availableParallelism())
})

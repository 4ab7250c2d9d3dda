import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { otherFiles, pixelBomb, scene } from '../fixtures/images.ts'
import { composeForTest } from '../support/in-process.ts'
import { bytesOnDisk, objectsOnDisk } from '../support/media.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

test('a poster that is no image is refused by name, and another may be sent', {
  timeout: 180_000,
}, async () => {
  const { api, dataDir, sql } = await composeForTest()
  const { send, put, complete } = videoUploaderOf(api)
  const { video_id, poster_presigned_url } = await send(await clip(1))
  const bombs: [string, Buffer][] = [['pixels', pixelBomb()]]
  for (const [told, content] of [...(await otherFiles()), ...bombs]) {
    expect((await put(poster_presigned_url, content)).status).toBe(200)
    const refused = await complete(video_id)
    expect(refused.body).toEqual({
      code: 400,
      error: 'Invalid request body',
      details: expect.stringMatching(`^poster: .*${told}`),
    })
    // The video waits as it was sent; of the poster, nothing is kept.
    await expect.poll(() => objectsOnDisk(dataDir)).toHaveLength(1)
  }
  await put(poster_presigned_url, await scene(320, 200).jpeg().toBuffer())
  const video = await complete(video_id)
  expect(video.body).toMatchObject({
    file: { status: 'ready' },
    poster: { width: 320, height: 200, attached_to_video: true },
  })
  while ((await sql`select from jobs`).length > 0) await sleep(50)
  expect((await api.get('/project')).body.storage_used).toBe(bytesOnDisk(dataDir))
})

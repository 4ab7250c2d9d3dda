import { rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { photoWithPrivateData } from '../fixtures/images.ts'
import { film, whenSettled } from '../support/films.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { videoUploaderOf } from '../support/video.ts'

test('an upload that the disk has no folder for is a 500; a job of it is given up', {
  timeout: 400_000,
}, async () => {
  const { api, dataDir } = await composeForTest()
  const images = uploaderOf(api)
  const { body } = await images.init()
  const video = await videoUploaderOf(api).upload(await film(4))
  await rm(path.join(dataDir, 'temporary'), { recursive: true })
  expect((await images.put(body.presigned_url, new Uint8Array(await photoWithPrivateData()))).status).toBe(
    500,
  )
  expect(await whenSettled(api, video.id)).toMatchObject({ status: 'failed' })
})

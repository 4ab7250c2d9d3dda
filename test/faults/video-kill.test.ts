import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addressAt, film, progressOf, segmentsMade, whenSettled } from '../support/films.ts'
import { checkHls } from '../support/hls/check.ts'
import { bytesOnDisk, objectsOnDisk } from '../support/media.ts'
import { mediaPrograms } from '../support/media-programs.ts'
import { discard, freshDataDir, startService } from '../support/service.ts'
import { videoUploaderOf } from '../support/video.ts'

const KILLS = process.env.MARQUEE_TEST_LONG ? 10 : 1
// It asks for the progress all the time.
const UNLIMITED = { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }

test(`after ${KILLS} times kill -9 in the middle, all of a video is made, and it plays all along`, {
  timeout: KILLS * 120_000 + 120_000,
}, async () => {
  const dataDir = freshDataDir()
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'marquee-film-'))
  const source = path.join(scratch, 'film.mp4')
  // Long enough that there is something left to make after each.
  const content = await film(20 + KILLS * 20)
  writeFileSync(source, content)
  onTestFinished(() => {
    discard(dataDir)
    rmSync(scratch, { recursive: true })
  })

  let service = await startService({ dataDir, env: UNLIMITED })
  const video = await videoUploaderOf(service.api).upload(content)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await segmentsMade(service.api, video.id)
    while ((await segmentsMade(service.api, video.id)) === before) await sleep(5)
    expect((await progressOf(service.api, video.id)).status).toBe('processing')
    await service.kill()
    while (mediaPrograms({ pid: service.pid, dataDir }).length > 0) await sleep(20)

    service = await startService({ dataDir, env: UNLIMITED })
    const url = addressAt(service, video)
    for (const address of ['', '/v360/index.m3u8', '/v360/0.m4s', '/v480/10.m4s', '/a0/0.m4s'])
      expect((await fetch(url + address)).status, address).toBe(200)
  }

  expect(await whenSettled(service.api, video.id)).toMatchObject({ status: 'complete' })
  expect(await checkHls(addressAt(service, video), { source, ssimFloor: null, settled: true })).toEqual([])
  // The poster's smaller encoding is a job of its own.
  const isAddedUp = async () =>
    (await service.api.get('/project')).body.storage_used === bytesOnDisk(dataDir) &&
    objectsOnDisk(dataDir).every((file) => file.includes('/media/'))
  while (!(await isAddedUp())) await sleep(200)
  // It is not there where everything had been made before the last start.
  const sources = `${dataDir}/work/sources`
  expect(existsSync(sources) ? readdirSync(sources) : []).toEqual([])
  expect((await service.api.delete(`/videos/${video.id}`)).status).toBe(204)
  expect(objectsOnDisk(dataDir)).toEqual([])
  await service.stop()
})

import { existsSync, globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkHls } from '../support/hls/check.ts'
import { openTarget, type Target } from '../support/hostile-uploads.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeAttachment } from '../support/videos/hostile.ts'
import { makeExternalData } from '../support/videos/hostile-mp4.ts'
import { makeSource, type SourceKind } from '../support/videos/sources.ts'

let target: Target
beforeAll(async () => {
  target = await openTarget()
})
afterAll(() => target.close())

/** Has it played to the end, and then deleted. */
async function expectPlays(file: string, frameTimes?: 'subset'): Promise<void> {
  const { api } = target.service
  const video = await videoUploaderOf(api).upload(readFileSync(file))
  const progress = async () => (await api.get(`/videos/${video.id}/progress`)).body
  while ((await progress()).status === 'processing') await sleep(100)
  expect(await progress()).toMatchObject({ status: 'complete', percent: 100 })
  expect(
    await checkHls(video.file.url, { source: file, frameTimes, ssimFloor: null, settled: true }),
  ).toEqual([])
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  await target.expectUnharmed()
}

test('a file inside the video whose name leads elsewhere stays where it is', {
  timeout: 180_000,
}, async () => {
  // Nobody else has a file of this name.
  const name = `attached-${process.pid}`
  const file = await makeAttachment(target.folder, `../../${name}`)
  await expectPlays(file)
  expect(globSync(`**/${name}`, { cwd: target.service.dataDir })).toEqual([])
  for (const start of ['/', process.cwd(), target.service.dataDir])
    for (const place of ['', '..', '../..']) expect(existsSync(path.resolve(start, place, name))).toBe(false)
})

test('pictures said to be at an address that nobody reads are those of the file', {
  timeout: 180_000,
}, async () => {
  await expectPlays(await makeExternalData(target.folder, '/etc/passwd', 'url'))
})

test.each<SourceKind>(['mkv-h264', 'mp4-fragmented', 'webm-vp9-opus', 'avi-mpeg4-mp3'])(
  'of %s that breaks off, what is there plays',
  { timeout: 180_000 },
  async (kind) => {
    const whole = readFileSync(await makeSource(kind))
    const file = path.join(target.folder, `cut-${kind}`)
    await writeFile(file, whole.subarray(0, Math.floor(whole.length * 0.6)))
    await expectPlays(file, 'subset')
  },
)

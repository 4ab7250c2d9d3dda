import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTarget, type Target } from '../support/hostile-uploads.ts'
import { objectsOnDisk } from '../support/media.ts'
import { mediaPrograms } from '../support/media-programs.ts'
import { videoUploaderOf } from '../support/video.ts'
import { makeSource, type SourceKind } from '../support/videos/sources.ts'

const FILES = process.env.MARQUEE_TEST_LONG ? 100 : 2

let target: Target
beforeAll(async () => {
  target = await openTarget()
})
afterAll(() => target.close())

/** The same file for the same number, with a few bytes changed: near its ends, where the indexes are, or anywhere. */
function damaged(whole: Buffer, number: number): Buffer {
  const copy = Buffer.from(whole)
  let state = number + 1
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let i = 0; i < 20; i++) {
    const reach = [copy.length, 4000, 400][random(3)]!
    const at = random(Math.min(reach, copy.length))
    copy[random(2) === 0 ? at : copy.length - 1 - at] = random(256)
  }
  return copy
}

const KINDS: SourceKind[] = ['mp4-bframes', 'mp4-fragmented', 'mkv-h264', 'webm-vp9-opus', 'avi-mpeg4-mp3']

test.each(KINDS)(
  '%s with bytes changed is refused, fails or plays, and harms nobody',
  {
    timeout: FILES * 120_000,
  },
  async (kind) => {
    const { api, output, dataDir } = target.service
    const { send, complete } = videoUploaderOf(api)
    const whole = readFileSync(await makeSource(kind))
    for (let number = 0; number < FILES; number++) {
      const { video_id } = await send(damaged(whole, number))
      const answer = await complete(video_id)
      expect([200, 400], `${number}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
      if (answer.status === 400) continue
      const progress = async () => (await api.get(`/videos/${video_id}/progress`)).body
      while ((await progress()).status === 'processing') await sleep(200)
      const { status, reason } = await progress()
      if (status === 'failed') expect(reason).toBe('a part of it cannot be decoded')
      expect((await api.delete(`/videos/${video_id}`)).status).toBe(204)
    }
    while (mediaPrograms(target.service).length > 0) await sleep(50)
    await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
    expect((await api.get('/project')).body.storage_used).toBe(0)
    expect(output()).not.toMatch(/request failed|sweep failed/)
  },
)

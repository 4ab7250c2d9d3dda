import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { checkHls, type Expectation } from '../support/hls/check.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { videoUploaderOf } from '../support/video.ts'
import { findOwnMedia } from '../support/videos/own-media.ts'
import { makeSource, type SourceKind, sourceKinds } from '../support/videos/sources.ts'

const LONG = process.env.MARQUEE_TEST_LONG === '1'

let service: Awaited<ReturnType<typeof composeForTest>>
beforeEach(async () => {
  service = await composeForTest()
})

async function untilAllIsMade(videoId: string): Promise<void> {
  for (;;) {
    const { body } = await service.api.get(`/videos/${videoId}/progress`)
    if (body.status === 'complete') return
    expect(body.status).toBe('processing')
    await sleep(200)
  }
}

/** Uploads a file, waits until all of it is made, and has every rendition checked. */
async function check(source: string, expected: Partial<Expectation> = {}): Promise<string[]> {
  const { upload } = videoUploaderOf(service.api)
  const video = await upload(await readFile(source), { file_name: path.basename(source) })
  expect(video.file.status).toBe('ready')
  await untilAllIsMade(video.id)
  return checkHls(local(video.file.url), { source, settled: true, ...expected })
}

/** Pictures that stay on are shown again in every segment they last for. */
const EXPECTED: Partial<Record<SourceKind, Partial<Expectation>>> = {
  'one-frame-long-audio': { frameTimes: 'held' },
  'audio-longer': { frameTimes: 'held' },
  slideshow: { frameTimes: 'held' },
}

/** One of each way in which a video can be awkward; all of them in the long run. */
const USUAL: SourceKind[] = [
  'mp4-h264-aac',
  'mp4-h264-open-gop',
  'mkv-vfr',
  'webm-vp8-vorbis',
  'avi-mpeg4-mp3',
  'mp4-hevc-hdr10',
  'odd-size',
  'rotated',
  'one-frame-long-audio',
  'no-audio',
  'partial-audio',
  'several-audio-tracks',
  'start-time-mkv',
  'edit-list',
]
/** A transport stream is none of the formats that are taken. */
const PLAYED = sourceKinds.filter((kind) => kind !== 'start-time-ts')

for (const kind of LONG ? PLAYED : USUAL)
  test(`${kind} plays as it is in the source, in every rendition`, async () => {
    expect(await check(await makeSource(kind), EXPECTED[kind])).toEqual([])
  })

for (const file of (await findOwnMedia()).videos)
  test(`${path.basename(file)}, which others made, plays as it is`, async () => {
    expect(await check(file)).toEqual([])
  })

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whenSettled } from '../support/films.ts'
import { checkHls } from '../support/hls/check.ts'
import { composeForTest } from '../support/in-process.ts'
import { made, videoUploaderOf } from '../support/video.ts'
import { ffmpeg, ffprobe } from '../support/videos/programs.ts'

let folder: string
let plain: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-odd-'))
  plain = path.join(folder, 'plain.mp4')
  await ffmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=6', '-f', 'lavfi', '-i', 'sine=d=6'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac', plain],
  ])
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The file with something done to it. */
async function changed(change: (content: Buffer) => Promise<void> | void): Promise<Buffer> {
  const content = readFileSync(plain)
  await change(content)
  return content
}

/** Another kind of sound, by the name of its entry; what would tell the truth about it is hidden. */
const renamed = (kind: string) => (content: Buffer) => {
  content.write(kind, content.lastIndexOf('mp4a'), 'latin1')
  content.write('free', content.lastIndexOf('esds'), 'latin1')
}

/** All of a stream's packets but their first bytes become noise. */
const noisy = (stream: 'a' | 'v', keep: number) => async (content: Buffer) => {
  const list = await ffprobe([
    ...['-select_streams', stream, '-show_entries', 'packet=pos,size', '-of', 'csv=p=0', '-i', plain],
  ])
  let state = 1
  for (const line of list.trim().split('\n')) {
    const [size, at] = line.split(',').map(Number)
    for (let i = keep; i < size!; i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      content[at! + i] = state >>> 24
    }
  }
}

test('a sound that cannot be decoded is left out, and progress says so', { timeout: 300_000 }, async () => {
  const { api } = await composeForTest()
  const kinds: [change: (content: Buffer) => Promise<void> | void, note: string][] = [
    [renamed('mhm1'), 'the sound in stream 1 cannot be decoded and is left out'],
    [renamed('ac-4'), 'the sound in stream 1 is of an unknown kind and is left out'],
    [noisy('a', 0), 'the sound in stream 1 cannot be decoded and is left out'],
  ]
  for (const [change, note] of kinds) {
    const video = await videoUploaderOf(api).upload(await changed(change))
    expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete', notes: [note] })
    const expected = { source: plain, hasAudio: false, audioTracks: 0, ssimFloor: null, settled: true }
    expect(await checkHls(video.file.url, expected)).toEqual([])
  }
  const whole = await videoUploaderOf(api).upload(readFileSync(plain))
  expect(await whenSettled(api, whole.id)).not.toHaveProperty('notes')
})

const KEYS = [
  ...['-encryption_key', '00112233445566778899aabbccddeeff'],
  ...['-encryption_kid', '112233445566778899aabbccddeeff00'],
]

test('an encrypted film is refused as such', { timeout: 120_000 }, async () => {
  const { api } = await composeForTest()
  const { send, complete } = videoUploaderOf(api)
  const encrypted = await made(
    ['-i', plain, '-c', 'copy', '-encryption_scheme', 'cenc-aes-ctr', ...KEYS],
    'mp4',
  )
  // As others write it: the entry says so by its own name.
  const named = await changed((content) => {
    content.write('encv', content.lastIndexOf('avc1'), 'latin1')
  })
  for (const content of [encrypted, named]) {
    const answer = await complete((await send(content)).video_id)
    expect(answer.body).toMatchObject({ code: 400, details: expect.stringMatching(/^it is encrypted/) })
  }
})

test('pictures that are damaged are encoded, not copied: what is made can be decoded', {
  timeout: 180_000,
}, async () => {
  const { api } = await composeForTest()
  const content = await changed(noisy('v', 300))
  const video = await videoUploaderOf(api).upload(content)
  expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete' })
  const source = path.join(folder, 'damaged.mp4')
  writeFileSync(source, content)
  const found = await checkHls(video.file.url, { source, frameTimes: 'skip', ssimFloor: null })
  expect(found.filter((problem) => problem.includes('decode'))).toEqual([])
})

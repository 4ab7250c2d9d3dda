import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whenSettled } from '../support/films.ts'
import { checkHls } from '../support/hls/check.ts'
import { download, get, PLAYLIST } from '../support/hls/download.ts'
import { parseMedia, parseMultivariant } from '../support/hls/playlist.ts'
import { loudness, readTimeline } from '../support/hls/timeline.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { made, videoUploaderOf } from '../support/video.ts'
import { withNoise } from '../support/videos/damage.ts'
import { ffmpeg } from '../support/videos/programs.ts'
import { sweepingFilm } from '../support/videos/sweep.ts'

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
function changed(change: (content: Buffer) => void): Buffer {
  const content = readFileSync(plain)
  change(content)
  return content
}

/** Another kind of sound, by the name of its entry; what would tell the truth about it is hidden. */
const renamed = (kind: string) => (content: Buffer) => {
  content.write(kind, content.lastIndexOf('mp4a'), 'latin1')
  content.write('free', content.lastIndexOf('esds'), 'latin1')
}

test('a sound that cannot be decoded is left out, and progress says so', { timeout: 300_000 }, async () => {
  const { api } = await composeForTest()
  const kinds: [content: Buffer, note: string][] = [
    [changed(renamed('mhm1')), 'the sound in stream 1 cannot be decoded and is left out'],
    [changed(renamed('ac-4')), 'the sound in stream 1 is of an unknown kind and is left out'],
    [await withNoise(plain, 'a'), 'the sound in stream 1 cannot be decoded and is left out'],
  ]
  for (const [content, note] of kinds) {
    const video = await videoUploaderOf(api).upload(content)
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
  const named = changed((content) => {
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
  // Behind the heads of the slices, so that they can still be copied.
  const content = await withNoise(plain, 'v', { keep: 1500 })
  const video = await videoUploaderOf(api).upload(content)
  expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete' })
  const source = path.join(folder, 'damaged.mp4')
  writeFileSync(source, content)
  const found = await checkHls(video.file.url, { source, frameTimes: 'skip', ssimFloor: null })
  expect(found.filter((problem) => problem.includes('decode'))).toEqual([])
})

test.runIf(process.env.MARQUEE_TEST_LONG)(
  'a film whose sound breaks after its beginning is whole, and heard where the sound is',
  {
    timeout: 300_000,
  },
  async () => {
    const { api } = await composeForTest()
    const long = path.join(folder, 'long.mp4')
    writeFileSync(long, await sweepingFilm(140, 'mp4'))
    for (const to of [Infinity, 130]) {
      const video = await videoUploaderOf(api).upload(await withNoise(long, 'a', { from: 5, to }))
      const url = new URL(local(video.file.url))
      const { renditions } = parseMultivariant((await get(url, PLAYLIST, [])).toString())
      const playlist = new URL(renditions[0]!.uri!, url)
      const { segments } = parseMedia((await get(playlist, PLAYLIST, [])).toString())
      // Somebody who begins with the end does not wait for the pass from the beginning.
      const answers = await Promise.all(segments.toReversed().map(({ uri }) => fetch(new URL(uri, playlist))))
      expect(answers.map(({ status }) => status)).toEqual(segments.map(() => 200))
      expect(await whenSettled(api, video.id)).toMatchObject({ status: 'complete' })
      expect((await api.get(`/videos/${video.id}`)).body).toMatchObject({ file: { status: 'ready' } })
      const track = await download(playlist, 'audio', 'sound', folder)
      expect(track.problems).toEqual([])
      const sound = await readTimeline(track.file, 0, { zero: 0, rounded: 0 })
      expect(loudness(sound, 1, 4)).toBeGreaterThan(5000)
      if (to === 130) expect(loudness(sound, 132, 139)).toBeGreaterThan(5000)
    }
  },
)

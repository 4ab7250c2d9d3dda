import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { makeAudio } from '../../../server/media/video/make-audio.ts'
import { CLOCK } from '../../../server/media/video/timeline.ts'
import { loudness, RATE, readTimeline, type Timeline } from '../../support/hls/timeline.ts'
import { standIn } from '../../support/media-programs.ts'
import { made } from '../../support/video.ts'
import { withNoise } from '../../support/videos/damage.ts'
import { sweepingFilm } from '../../support/videos/sweep.ts'

const SECONDS = 60
const SEGMENT = 4
const COUNT = SECONDS / SEGMENT
const EDGES = Array.from({ length: COUNT + 1 }, (_, i) => i * SEGMENT * CLOCK)
/** Where a film is broken that is broken in the middle. */
const BROKEN = { from: 5, to: 40 }
/** Some containers round their times to a thousandth of a second. */
const LIKE = 0.9
const TIMEOUT = { timeout: 180_000 }

let folder: string
const plain = (ending: string) => path.join(folder, `plain.${ending}`)
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-sound-'))
  for (const ending of ['mp4', 'mkv', 'avi'])
    writeFileSync(plain(ending), await sweepingFilm(SECONDS, ending))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

function put(name: string, content: Buffer): string {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** What is heard of the segments of one pass; all of them are there, and decode without an error. */
async function pass(source: string, { first = 0, end = COUNT, edges = EDGES, ffmpeg = 'ffmpeg' } = {}) {
  const tools = { ffmpeg, ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 60 }
  const numbers: number[] = []
  const pieces: Buffer[] = []
  const about = { rendition: 'audio-1', source, stream: 1, channels: 1, zero: 0, edges, first, end, nice: 0 }
  await makeAudio(tools, about, async ({ number, init, bytes }) => {
    if (pieces.length === 0) pieces.push(init)
    numbers.push(number)
    pieces.push(bytes)
  })
  expect(numbers).toEqual(Array.from({ length: end - first }, (_, i) => first + i))
  return readTimeline(put('made.mp4', Buffer.concat(pieces)), 0, { zero: 0, rounded: 0 })
}

/** How much one sound is like another between two seconds, however loud they are: 1 where it is the same. */
function likeness(one: Timeline, other: Timeline, from: number, to: number): number {
  const span = other.subarray(from * RATE, to * RATE)
  const product = one.subarray(from * RATE, to * RATE).reduce((sum, a, i) => sum + a * span[i]!, 0)
  return product / span.length / loudness(one, from, to) / loudness(other, from, to)
}

test('a pass that begins in the middle makes what one from the beginning makes', TIMEOUT, async () => {
  const whole = await pass(plain('mp4'))
  const late = await pass(plain('mp4'), { first: 12 })
  expect(likeness(whole, late, 48.1, 59)).toBeGreaterThan(0.99)
  // The tone rises: it is like itself at no other time.
  expect(likeness(whole.subarray(RATE), late, 48.1, 58)).toBeLessThan(0.5)
})

test.each(process.env.MARQUEE_TEST_LONG ? ['mp4', 'mkv', 'avi'] : ['mkv'])(
  'a sound that is broken is heard where it is not (%s)',
  TIMEOUT,
  async (ending) => {
    const whole = await pass(plain(ending))
    const tail = put(`tail.${ending}`, await withNoise(plain(ending), 'a', { from: 5 }))
    expect(likeness(whole, await pass(tail), 1, 4)).toBeGreaterThan(LIKE)
    for (const first of [2, COUNT - 1]) await pass(tail, { first })
    const middle = put(`middle.${ending}`, await withNoise(plain(ending), 'a', BROKEN))
    expect(likeness(whole, await pass(middle), 1, 4)).toBeGreaterThan(LIKE)
    for (const first of [0, 3, 12])
      expect(likeness(whole, await pass(middle, { first }), 49, 59)).toBeGreaterThan(LIKE)
    await pass(middle, { first: 4, end: 8 })
  },
)

test('a sound that ends before its film is silence from there on', TIMEOUT, async () => {
  const cut = ['-i', plain('mp4'), '-c:v', 'copy', '-c:a', 'aac', '-af', 'atrim=end=10']
  const short = put('short.mp4', await made(cut, 'mp4'))
  const sound = await pass(short)
  expect(loudness(sound, 1, 9)).toBeGreaterThan(1000)
  expect(loudness(sound, 11, 59)).toBe(0)
  for (const first of [2, COUNT - 1]) expect(loudness(await pass(short, { first }), 56, 59)).toBe(0)
})

/** What only the first decoder of a sound is called with: all others are told where to begin. */
const FIRST_DECODER = '+discardcorrupt -i'

test('where a decoder gives up, another goes on a while later', TIMEOUT, async () => {
  const whole = await pass(plain('mp4'))
  const tenSeconds = 10 * 48_000 * 4
  const ffmpeg = standIn(FIRST_DECODER, `ffmpeg "$@" | head -c ${tenSeconds}; exit 1`)
  const sound = await pass(plain('mp4'), { ffmpeg })
  expect(likeness(whole, sound, 1, 9)).toBeGreaterThan(0.99)
  expect(loudness(sound, 10.5, 11.5)).toBe(0)
  expect(likeness(whole, sound, 13, 59)).toBeGreaterThan(0.99)
})

test('a sound of which nothing comes is an error, not silence', TIMEOUT, async () => {
  const ffmpeg = standIn('+discardcorrupt', 'echo "a lamp has burnt out" >&2; exit 1')
  await expect(pass(plain('mp4'), { ffmpeg })).rejects.toThrow('a lamp has burnt out')
  const killed = standIn('+discardcorrupt', 'ffmpeg "$@" | head -c 1000000; kill -KILL $$')
  await expect(pass(plain('mp4'), { ffmpeg: killed })).rejects.toThrow('ended by 137')
})

test('a sound that changes its kind goes on where it belongs', TIMEOUT, async () => {
  const part = (from: number, channels: number) =>
    made(
      ['-ss', String(from), '-t', '20', '-i', plain('mp4'), '-vn', '-ar', '48000', '-ac', String(channels)],
      'ac3',
    )
  const stereo = await part(0, 2)
  const [steady, changing] = await Promise.all(
    [2, 6].map(async (channels) => {
      const joined = put(`${channels}.ac3`, Buffer.concat([stereo, await part(20, channels)]))
      const inputs = ['-i', plain('mp4'), '-i', joined, '-map', '0:v', '-map', '1:a', '-t', '40']
      return put(`${channels}.mkv`, await made([...inputs, '-c', 'copy'], 'mkv'))
    }),
  )
  const span = { end: 10, edges: EDGES.slice(0, 11) }
  const whole = await pass(steady!, span)
  const sound = await pass(changing!, span)
  expect(likeness(whole, sound, 1, 19)).toBeGreaterThan(LIKE)
  expect(likeness(whole, sound, 21, 39)).toBeGreaterThan(LIKE)
})

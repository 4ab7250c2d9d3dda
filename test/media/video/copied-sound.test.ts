import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { couldBePassedOn } from '../../../server/media/video/aac-packets.ts'
import type { MediaDescription } from '../../../server/media/video/description.ts'
import { makeAudio } from '../../../server/media/video/make-audio.ts'
import type { PlaybackPlan } from '../../../server/media/video/plan.ts'
import { studyVideo } from '../../../server/media/video/study.ts'
import { loudness, RATE, readTimeline } from '../../support/hls/timeline.ts'
import { made } from '../../support/video.ts'
import { withNoise } from '../../support/videos/damage.ts'
import { ffmpeg, ffprobe } from '../../support/videos/programs.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 60 }
const TIMEOUT = { timeout: 120_000 }
const BLOCK = 1024

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-copied-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=25:d=12']
const RISING = (rate = 48_000) => [
  ...['-f', 'lavfi', '-i', `aevalsrc=0.5*sin(2*PI*(200+20*t)*t):s=${rate}:d=12`],
]
const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac']

async function put(args: string[], ending = 'mp4'): Promise<string> {
  return keep(await made(args, ending), ending)
}

let files = 0
function keep(content: Buffer, ending: string): string {
  const file = path.join(folder, `${files++}.${ending}`)
  writeFileSync(file, content)
  return file
}

const plain = () => put([...PICTURE, ...RISING(), ...CODECS])
/** Written anew from others by copying. */
async function copied(args: string[], ending = 'mp4'): Promise<string> {
  const file = path.join(folder, `${files++}.${ending}`)
  await ffmpeg(['-v', 'error', ...args, '-c', 'copy', file])
  return file
}
const changed = async (args: string[], ending = 'mp4') => copied(['-i', await plain(), ...args], ending)
/** The pictures of a file and its sound, one of them later than it was. */
async function apart(pictures: number, sound: number, ending: string): Promise<string> {
  const file = await plain()
  const inputs = [pictures, sound].flatMap((later) => ['-itsoffset', String(later), '-i', file])
  return copied([...inputs, '-map', '0:v', '-map', '1:a'], ending)
}

interface Packet {
  time: number
  hash: string
}

async function packetsOf(file: string): Promise<Packet[]> {
  const entries = ['-select_streams', 'a:0', '-show_data_hash', 'md5']
  const list = await ffprobe([...entries, '-show_entries', 'packet=pts_time,data_hash', '-of', 'json', file])
  return JSON.parse(list).packets.map((one: { pts_time: string; data_hash: string }) => ({
    time: Number(one.pts_time),
    hash: one.data_hash,
  }))
}

const planOf = async (source: string) => (await studyVideo(tools, source, 'pro')).plan

/** The sound of some segments of a file, as one file; it decodes without an error, and blocks follow each other. */
async function soundOf(source: string, plan: PlaybackPlan, first = 0, end = plan.segments.length) {
  const [audio] = plan.audio
  const { zero, timeBase } = plan.source
  const pieces: Buffer[] = []
  const pass = { ...audio!, rendition: 'a0', source, zero: (zero * timeBase.num) / timeBase.den }
  const edges = [...plan.segments.map(({ start }) => start), plan.end]
  await makeAudio(tools, { ...pass, edges, first, end, nice: 0 }, async ({ init, bytes }) => {
    if (pieces.length === 0) pieces.push(init)
    pieces.push(bytes)
  })
  expect(pieces).toHaveLength(1 + end - first)
  const file = keep(Buffer.concat(pieces), 'mp4')
  const { stderr } = await ffmpeg(['-v', 'warning', '-err_detect', 'explode', '-i', file, '-f', 'null', '-'])
  expect(stderr).toBe('')
  const packets = await packetsOf(file)
  const block = BLOCK / (audio!.copied?.sampleRate ?? 48_000)
  for (const [i, { time }] of packets.entries()) expect(time).toBeCloseTo(packets[0]!.time + i * block, 5)
  return { file, packets, block }
}

const KINDS: Record<string, () => Promise<string>> = {
  'an MP4 with an edit list for what the encoder put before the sound': plain,
  'Matroska, which counts in milliseconds, of 44.1 kHz and one channel': () =>
    put([...PICTURE, ...RISING(44_100), ...CODECS], 'mkv'),
  'an MP4 that is cut in the middle of a packet, by an edit list': async () =>
    copied(['-ss', '3.307', '-i', await plain()]),
  'fragments, which begin hours later': () =>
    changed(['-output_ts_offset', '7200', '-movflags', 'frag_keyframe+empty_moov+default_base_moof']),
  'sound that begins before the pictures do': () => apart(0.7, 0, 'mkv'),
}

test.each(Object.keys(KINDS))('the packets are those of the source: %s', TIMEOUT, async (kind) => {
  const source = await KINDS[kind]!()
  const plan = await planOf(source)
  const { packets, block } = await soundOf(source, plan)
  const own = await packetsOf(source)
  const begin = own.findIndex(({ hash }) => hash === packets[0]!.hash)
  expect(packets.length * block).toBeGreaterThan(8)
  // Where the sound ends before the last picture does, silence is behind it.
  const last = packets.findLastIndex(({ hash }) => hash === own.at(-1)!.hash)
  expect(last).toBeGreaterThan(packets.length - 1 / block)
  expect(packets.slice(0, last + 1).map(({ hash }) => hash)).toEqual(own.slice(begin).map(({ hash }) => hash))
  // Heard at most half a packet from when it is heard in the source.
  const { zero, timeBase } = plan.source
  const pictures = (zero * timeBase.num) / timeBase.den
  for (const [i, { time }] of packets.slice(0, last + 1).entries())
    expect(Math.abs(own[begin + i]!.time - pictures - time)).toBeLessThanOrEqual(block / 2 + 0.002)
  // Whoever begins in the middle gets the same.
  const late = await soundOf(source, plan, 2)
  expect(late.packets.map(({ hash }) => hash)).toEqual(
    packets.slice(-late.packets.length).map(({ hash }) => hash),
  )
})

test('damaged packets reach nobody: their segments are encoded, on the same grid', TIMEOUT, async () => {
  const whole = await plain()
  const source = keep(await withNoise(whole, 'a', { from: 5, to: 5.1 }), 'mp4')
  const plan = await planOf(source)
  const { file, packets } = await soundOf(source, plan)
  const own = new Set((await packetsOf(whole)).map(({ hash }) => hash))
  const foreign = packets.filter(({ hash }) => !own.has(hash)).map(({ time }) => time)
  const segment = plan.segments.findLast(({ start }) => start <= 5 * 90_000)!
  expect(Math.min(...foreign)).toBeGreaterThanOrEqual(segment.start / 90_000)
  expect(Math.max(...foreign)).toBeLessThan(segment.start / 90_000 + 4.05)
  // What is around the damage is heard, at its time: the tone rises.
  const zero = { zero: 0, rounded: 0 }
  const [heard, meant] = await Promise.all([readTimeline(file, 0, zero), readTimeline(whole, 0, zero)])
  for (const [from, to] of [
    [4.2, 4.9],
    [5.2, 6.5],
    [7, 11],
  ])
    expect(likeness(heard, meant, from!, to!)).toBeGreaterThan(0.97)
})

function likeness(one: Int16Array, other: Int16Array, from: number, to: number): number {
  const span = other.subarray(from * RATE, to * RATE)
  const product = one.subarray(from * RATE, to * RATE).reduce((sum, a, i) => sum + a * span[i]!, 0)
  return product / span.length / loudness(one, from, to) / loudness(other, from, to)
}

const UNFIT: Record<string, () => Promise<string>> = {
  'sound that begins late': () => apart(0, 0.5, 'mp4'),
  'times that jump': () => changed(['-bsf:a', "setts=ts='TS+if(gte(N,60),30,0)/1000/TB'"], 'mkv'),
  'six channels': () => put([...PICTURE, ...RISING(), ...CODECS, '-ac', '6', '-b:a', '128k']),
  'a rate that HE-AAC may hide behind': () => put([...PICTURE, ...RISING(24_000), ...CODECS]),
}

test.each(Object.keys(UNFIT))('is encoded: %s', TIMEOUT, async (kind) => {
  const source = await UNFIT[kind]!()
  const plan = await planOf(source)
  expect(plan.audio[0]).not.toHaveProperty('copied.zero')
  const { packets } = await soundOf(source, plan)
  expect(packets.length * (BLOCK / 48_000)).toBeGreaterThan(11.9)
})

test(
  'a gap in a sound that is copied is encoded, and what is behind it is in its place',
  TIMEOUT,
  async () => {
    const whole = await plain()
    const source = await changed(['-bsf:a', "noise=drop='between(n,300,318)'"], 'mkv')
    const { file, packets } = await soundOf(source, await planOf(source))
    const own = new Set((await packetsOf(whole)).map(({ hash }) => hash))
    expect(packets.filter(({ hash }) => own.has(hash)).length).toBeGreaterThan(packets.length / 2)
    const zero = { zero: 0, rounded: 0 }
    const [heard, meant] = await Promise.all([readTimeline(file, 0, zero), readTimeline(whole, 0, zero)])
    expect(loudness(heard, 6.5, 6.65)).toBeLessThan(100)
    for (const [from, to] of [
      [4.2, 5.9],
      [6.6, 11],
    ])
      expect(likeness(heard, meant, from!, to!)).toBeGreaterThan(0.9)
  },
)

test('sound that takes more than the network should carry is encoded', () => {
  const sound = { index: 1, codec: 'aac', profile: 'LC', sampleRate: 48_000, channels: 2, bitrate: 256_000 }
  const copyable = (change: object, container = 'mov,mp4') =>
    couldBePassedOn({ container, audio: [{ ...sound, ...change }] } as unknown as MediaDescription).length > 0
  expect(copyable({})).toBe(true)
  expect(copyable({ bitrate: undefined })).toBe(true)
  for (const change of [{ bitrate: 256_001 }, { profile: 'HE-AAC' }, { codec: 'mp3' }, { channels: 3 }])
    expect(copyable(change), JSON.stringify(change)).toBe(false)
  expect(copyable({}, 'avi')).toBe(false)
})

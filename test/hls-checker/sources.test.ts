import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  audioFacts,
  frameTimes,
  isHdr,
  isInterlaced,
  isTurned,
  shapeOf,
  videoFacts,
} from '../support/hls/probe.ts'
import { ffprobe } from '../support/videos/programs.ts'
import { makeSource, type SourceKind, sourceKinds } from '../support/videos/sources.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'sources-'))
})
afterAll(() => rm(folder, { recursive: true }))

const USUAL = 'h264 320x180 yuv420p, 100 frames from 0.00 to 3.96'
const LATE_BY_AUDIO_DELAY = 'h264 320x180 yuv420p, 100 frames from 0.02 to 3.98'

/** What ffprobe sees in each. */
const CLAIMS: Record<SourceKind, string> = {
  'mp4-h264-aac': 'h264 1280x720 yuv420p, 150 frames from 0.00 to 5.96, aac 2',
  'mp4-h264-open-gop': `${USUAL}, aac 2`,
  'mp4-h264-long-gop': 'h264 320x180 yuv420p, 400 frames from 0.00 to 15.96, aac 2',
  'mp4-bframes': `${USUAL}, aac 2`,
  'mp4-fragmented': 'h264 320x180 yuv420p, 100 frames from 0.00 to 3.98, aac 2',
  'mov-h264': `${USUAL}, aac 2`,
  'mov-prores': 'prores 320x180 yuv422p10le, 100 frames from 0.00 to 3.96, pcm_s16le 2',
  'mkv-h264': `${LATE_BY_AUDIO_DELAY}, aac 2`,
  'webm-vp9-opus': 'vp9 320x180 yuv420p, 100 frames from 0.01 to 3.97, opus 2',
  'webm-vp8-vorbis': 'vp8 320x180 yuv420p, 100 frames from 0.00 to 3.96, vorbis 2',
  'avi-mpeg4-mp3': 'mpeg4 320x180 yuv420p, 100 frames from 0.00 to 4.00, mp3 2',
  'avi-h264': 'h264 320x180 yuv420p, 100 frames from 0.00 to 4.00, mp3 2',
  'mp4-hevc': 'hevc 320x180 yuv420p, 100 frames from 0.00 to 3.96, aac 2',
  'mp4-hevc-hdr10': 'hevc 320x180 yuv420p10le, 100 frames from 0.00 to 3.96, aac 2',
  'mp4-hevc-hlg': 'hevc 320x180 yuv420p10le, 100 frames from 0.00 to 3.96, aac 2',
  'mp4-h264-10bit': 'h264 320x180 yuv420p10le, 100 frames from 0.00 to 3.96, aac 2',
  'mp4-444': 'h264 320x180 yuv444p, 100 frames from 0.00 to 3.96, aac 2',
  'odd-size': 'vp9 333x187 yuv420p, 100 frames from 0.01 to 3.97, opus 2',
  portrait: 'h264 360x640 yuv420p, 100 frames from 0.00 to 3.96, aac 2',
  rotated: `${USUAL}, aac 2`,
  'non-square': 'h264 360x240 yuv420p, 100 frames from 0.00 to 3.96, aac 2',
  tiny: 'h264 16x16 yuv420p, 100 frames from 0.00 to 3.96, aac 2',
  interlaced: 'h264 720x576 yuv420p, 100 frames from 0.00 to 3.96, aac 2',
  'full-range': 'h264 320x180 yuvj420p, 100 frames from 0.00 to 3.96, aac 2',
  'sixty-fps': 'h264 320x180 yuv420p, 240 frames from 0.00 to 3.98, aac 2',
  ntsc: 'h264 320x180 yuv420p, 120 frames from 0.00 to 3.97, aac 2',
  'mkv-vfr': 'h264 320x180 yuv420p, 87 frames from 0.02 to 3.99, aac 2',
  'one-frame': 'h264 320x180 yuv420p, 1 frames from 0.00 to 0.00',
  'one-frame-long-audio': 'h264 320x180 yuv420p, 1 frames from 0.00 to 0.00, aac 2',
  'no-audio': USUAL,
  'partial-audio': 'h264 320x180 yuv420p, 150 frames from 0.00 to 5.96, aac 2',
  'audio-longer': `${USUAL}, aac 2`,
  'audio-before-video': 'h264 320x180 yuv420p, 100 frames from 0.74 to 4.70, aac 2',
  'five-one': `${USUAL}, aac 6`,
  'ac3-audio': 'h264 320x180 yuv420p, 100 frames from 0.01 to 3.96, ac3 2',
  'several-audio-tracks': `${LATE_BY_AUDIO_DELAY}, aac 2 eng, aac 2 fra`,
  subtitles: `${LATE_BY_AUDIO_DELAY}, aac 2`,
  chapters: `${USUAL}, aac 2`,
  'start-time-mkv': 'h264 320x180 yuv420p, 100 frames from 3.00 to 6.96, aac 2',
  'start-time-mp4': 'h264 320x180 yuv420p, 100 frames from 3.00 to 6.96, aac 2',
  'start-time-ts': 'h264 320x180 yuv420p, 100 frames from 1.48 to 5.44, aac 2',
  'ts-remux': 'h264 320x180 yuv420p, 100 frames from 1.48 to 5.44, aac 2',
  'edit-list': 'h264 320x180 yuv420p, 67 frames from 0.00 to 2.64, aac 2',
  'long-sparse': 'h264 64x36 yuv420p, 36000 frames from 0.00 to 35999.00',
  slideshow: 'h264 320x180 yuv420p, 4 frames from 0.00 to 36.00, aac 2',
}

const ALWAYS: SourceKind[] = [
  'mp4-bframes',
  'mkv-vfr',
  'odd-size',
  'edit-list',
  'several-audio-tracks',
  'ts-remux',
]

test.each(process.env.MARQUEE_TEST_LONG ? sourceKinds : ALWAYS)('%s', async (kind) => {
  const file = await makeSource(kind)
  const [times, video, audio] = await Promise.all([frameTimes(file), videoFacts(file), audioFacts(file)])
  const sounds = audio.map(({ codec_name, channels, tags: { language } = {} }) =>
    [`, ${codec_name}`, channels, ...(language && language !== 'und' ? [language] : [])].join(' '),
  )
  const span = `${times.length} frames from ${times[0]!.toFixed(2)} to ${times.at(-1)!.toFixed(2)}`
  const picture = `${video.codec_name} ${video.width}x${video.height} ${video.pix_fmt}`
  expect(`${picture}, ${span}${sounds.join('')}`).toBe(CLAIMS[kind])
})

const keyFrames = async (kind: SourceKind) =>
  (
    await ffprobe([
      ...[
        '-select_streams',
        'v',
        '-skip_frame',
        'nokey',
        '-show_entries',
        'frame=pts_time',
        '-of',
        'csv=p=0',
      ],
      await makeSource(kind),
    ])
  ).match(/^\d/gm)!.length

test('a cached file is not made again, and nothing else is left behind', async () => {
  const [one, other] = await Promise.all([makeSource('tiny', folder), makeSource('tiny', folder)])
  expect(one).toBe(other)
  const { mtimeMs } = await stat(one)
  expect((await stat(await makeSource('tiny', folder))).mtimeMs).toBe(mtimeMs)
  expect((await readdir(folder)).filter((name) => name.startsWith('making'))).toEqual([])
})

test('key frames are where they are said to be', async () => {
  expect(await keyFrames('mp4-bframes')).toBe(2)
  expect(await keyFrames('mp4-h264-long-gop')).toBe(1)
})

test('pictures are turned, stretched, interlaced and bright where they are said to be', async () => {
  const facts = async (kind: SourceKind) => videoFacts(await makeSource(kind))
  const rotated = await facts('rotated')
  expect(isTurned(rotated)).toBe(true)
  expect(shapeOf(rotated)).toBeCloseTo(180 / 320)
  expect(shapeOf(await facts('non-square'))).toBeCloseTo(16 / 9)
  expect(isInterlaced(await facts('interlaced'))).toBe(true)
  expect((await facts('mp4-hevc-hdr10')).color_transfer).toBe('smpte2084')
  expect((await facts('mp4-hevc-hlg')).color_transfer).toBe('arib-std-b67')
  expect(isHdr(await facts('mp4-bframes'))).toBe(false)
})

test('frames of a varying rate follow no beat', async () => {
  const times = await frameTimes(await makeSource('mkv-vfr'))
  const steps = times.slice(1).map((time, i) => time - times[i]!)
  expect(new Set(steps.map((step) => step.toFixed(3))).size).toBeGreaterThan(20)
  expect(Math.max(...steps)).toBeGreaterThan(0.5)
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { makeVideo } from '../../../server/media/video/make-video.ts'
import { posterFrame } from '../../../server/media/video/stills.ts'
import { studyVideo } from '../../../server/media/video/study.ts'
import { ffmpeg } from '../../support/videos/programs.ts'

const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 120 }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-colours-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Left to right red, green, blue and grey, coded in this way. */
async function bars(name: string, coding: string[]): Promise<string> {
  const file = path.join(folder, name)
  const bar = (colour: string, i: number) => `drawbox=x=${16 * i}:w=16:h=64:t=fill:c=${colour}`
  const drawn = ['red', 'lime', 'blue', 'gray'].map(bar).join(',')
  const picture = ['-f', 'lavfi', '-i', `color=s=64x64:r=10:d=1,format=gbrp,${drawn}`]
  await ffmpeg(['-v', 'error', ...picture, ...coding, file])
  return file
}

/** The same, H.264 with halved chroma, and then told to be something else. */
async function relabelled(name: string, labels: string): Promise<string> {
  const plain = await bars(`plain-${name}.mp4`, [
    ...['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast'],
  ])
  const file = path.join(folder, `${name}.mp4`)
  await ffmpeg(['-v', 'error', '-i', plain, '-c', 'copy', '-bsf:v', `h264_metadata=${labels}`, file])
  return file
}

/** All that a player gets of it. */
async function mediaOf(source: string): Promise<Buffer> {
  const { plan: planned, draft, facts } = await studyVideo(tools, source, 'basic')
  const plan = await planned
  expect((await posterFrame(tools, { source, plan: draft, ...facts })).length).toBeGreaterThan(0)
  const media: Buffer[] = []
  const run = { source, plan, renditions: plan.video.slice(-1), first: 0, end: plan.segments.length, nice: 0 }
  await makeVideo(tools, run, async ({ init, bytes }) => {
    if (media.length === 0) media.push(init)
    media.push(bytes)
  })
  return Buffer.concat(media)
}

/** What a player shows in the middle of each bar, after all segments were decoded without an error. */
function seenIn(media: Buffer): number[][] {
  const decoding = ['-v', 'error', '-xerror', '-i', 'pipe:0', '-frames:v', '1']
  const pixels = execFileSync('ffmpeg', [...decoding, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'], {
    input: media,
  })
  return [8, 24, 40, 56].map((x) => [...pixels.subarray(3 * (64 * 32 + x), 3 * (64 * 32 + x) + 3)])
}

const shown = async (source: string) => seenIn(await mediaOf(source))

/** By what a player makes red, green and blue again: one that is not told guesses. */
function matrixOf(media: Buffer): string {
  const asking = ['-v', 'error', '-show_entries', 'stream=color_space', '-of', 'csv=p=0', '-i', 'pipe:0']
  return execFileSync('ffprobe', asking, { input: media }).toString().trim()
}

const PURE = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [128, 128, 128],
]

function expectNear(found: number[][], wanted: number[][], distance: number): void {
  const far = found.flatMap((colour, i) => colour.map((value, c) => Math.abs(value - wanted[i]![c]!)))
  expect(Math.max(...far), JSON.stringify(found)).toBeLessThanOrEqual(distance)
}

test.each([
  ['H.264', ['-c:v', 'libx264rgb', '-preset', 'ultrafast', '-qp', '0'], 'rgb.mp4'],
  ['VP9', ['-c:v', 'libvpx-vp9', '-pix_fmt', 'gbrp', '-deadline', 'realtime', '-b:v', '2M'], 'rgb.webm'],
  ['packed RGB', ['-c:v', 'rawvideo', '-pix_fmt', 'bgr24'], 'rgb.avi'],
])('red, green and blue of %s that codes them as such', { timeout: 60_000 }, async (_, coding, name) => {
  const media = await mediaOf(await bars(name, coding))
  expectNear(seenIn(media), PURE, 40)
  expect(matrixOf(media)).toBe('bt709')
})

const coded = (matrix: string) => [
  ...['-vf', `zscale=matrix=${matrix},format=yuv444p`, '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0'],
]
test('colours that few players know are made into those that all know', { timeout: 60_000 }, async () => {
  expectNear(await shown(await bars('ycgco.mp4', coded('ycgco'))), PURE, 40)
})

test.each([
  ['a matrix of red, green and blue', 'matrix_coefficients=0'],
  ['a reserved matrix', 'matrix_coefficients=3:colour_primaries=3:transfer_characteristics=3'],
  ['FCC', 'matrix_coefficients=4:colour_primaries=4:transfer_characteristics=4'],
  ['YCgCo', 'matrix_coefficients=8'],
  ['constant luminance', 'matrix_coefficients=10:colour_primaries=9:transfer_characteristics=14'],
  ['Y′D′zD′x', 'matrix_coefficients=11'],
  ['ICtCp without HDR', 'matrix_coefficients=14'],
  ['BT.2020 in eight bits', 'matrix_coefficients=9:colour_primaries=9:transfer_characteristics=14'],
  ['PQ and nothing else', 'transfer_characteristics=16'],
  ['PQ with reserved colours', 'transfer_characteristics=16:colour_primaries=3:matrix_coefficients=3'],
  ['PQ with a matrix of red, green and blue', 'transfer_characteristics=16:matrix_coefficients=0'],
  ['PQ in BT.709', 'transfer_characteristics=16:colour_primaries=1:matrix_coefficients=1'],
  ['PQ in ICtCp', 'transfer_characteristics=16:colour_primaries=9:matrix_coefficients=14'],
  ['HLG in constant luminance', 'transfer_characteristics=18:colour_primaries=9:matrix_coefficients=10'],
  ['HLG in FCC', 'transfer_characteristics=18:colour_primaries=4:matrix_coefficients=4'],
])('pictures said to be %s can be shown', { timeout: 60_000 }, async (what, labels) => {
  const found = await shown(await relabelled(what.replaceAll(/\W/g, '-'), labels))
  // What is said of them need not be true; but a grey stays one.
  const [red, green, blue] = found[3]!
  expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeLessThanOrEqual(12)
})

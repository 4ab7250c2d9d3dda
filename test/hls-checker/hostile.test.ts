import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxesOf, findBox } from '../support/videos/boxes.ts'
import * as hostile from '../support/videos/hostile.ts'
import { makeClaimedSize, makeExternalData, makeManyStreams } from '../support/videos/hostile-mp4.ts'
import { ffprobe } from '../support/videos/programs.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'hostile-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The format as ffprobe takes it, or what it says against the file. */
const formatOf = (file: string) =>
  ffprobe(['-show_entries', 'format=format_name', '-of', 'csv=p=0', file]).then(
    (name) => name.trim(),
    (error: Error) => error.message,
  )

test('files that are something else are taken for it, whatever their names', async () => {
  const secret = '/etc/passwd'
  expect(await formatOf(await hostile.makeFalsePlaylist(folder, secret))).toMatch(/hls @/)
  expect(await formatOf(await hostile.makeConcatScript(folder, secret))).toMatch(/concat @/)
  expect(await formatOf(await hostile.makeSvg(folder, secret))).toBe('svg_pipe')
  expect(await formatOf(await hostile.makeAss(folder))).toBe('ass')
  expect(await formatOf(await hostile.makeZip(folder))).toMatch(/Invalid data/)
  expect(await formatOf(await hostile.makeRawH264(folder))).toBe('h264')
  expect(await formatOf(await hostile.makeTransportStream())).toBe('mpegts')
  // Any text has the beginnings of something for one of the more trusting formats.
  expect(await formatOf(await hostile.makeText(folder))).not.toMatch(/mp4/)
})

test('files that are cut off lack what they should have', async () => {
  const unfinished = await readFile(await hostile.makeWithoutIndex(folder))
  expect(() => boxesOf(unfinished)).toThrow(/box moov at byte \d+ claims/)
  const half = await readFile(await hostile.makeHalf(folder))
  expect(() => boxesOf(half)).toThrow(/box mdat at byte \d+ claims/)
})

test('the many tracks are there, each of a number of its own', async () => {
  const content = await readFile(await makeManyStreams(folder))
  const tracks = boxesOf(findBox(content, 'moov')!).filter(({ type }) => type === 'trak')
  expect(new Set(tracks.map(({ body }) => findBox(body, 'tkhd')!.readUInt32BE(12))).size).toBe(2000)
  expect(await formatOf(await makeManyStreams(folder, 900))).toContain('mp4')
})

test('an attachment has the name that leads out', async () => {
  const file = await hostile.makeAttachment(folder, '../../x')
  const names = await ffprobe(['-show_entries', 'stream_tags=filename', '-of', 'csv=p=0', file])
  expect(names.trim()).toBe('../../x')
})

test('a second is said to have a million frames', async () => {
  const file = await hostile.makeMillionFramesPerSecond(folder)
  const rate = await ffprobe(['-show_entries', 'stream=r_frame_rate,nb_frames', '-of', 'csv=p=0', file])
  expect(rate.trim()).toBe('1000000/1,5000')
})

test('frames are as large as they claim, or claim to be', async () => {
  // Less than the usual, which takes a while.
  const real = await hostile.makeHugeFrame(folder, 4000)
  const size = (file: string) => ffprobe(['-show_entries', 'stream=width,height', '-of', 'csv=p=0', file])
  expect((await size(real)).trim()).toBe('4000,4000')
  expect((await stat(real)).size).toBeLessThan(100_000)
  expect((await size(await makeClaimedSize(folder, 10_000))).trim()).toBe('10000,10000')
})

test.each(['url', 'alias'] as const)('the pictures are said to be in another file (%s)', async (as) => {
  const content = await readFile(await makeExternalData(folder, '/etc/passwd', as))
  const references = findBox(content, 'moov/trak/mdia/minf/dinf/dref')!
  expect(references.toString('latin1')).toContain('/etc/passwd')
  expect(await formatOf(path.join(folder, `external-${as}.mp4`))).toContain('mp4')
})

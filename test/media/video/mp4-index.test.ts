import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { UnsupportedVideo } from '../../../server/media/video/errors.ts'
import { readMp4Index } from '../../../server/media/video/mp4-index.ts'
import { ffprobe } from '../../support/videos/programs.ts'
import { makeSource, type SourceKind } from '../../support/videos/sources.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mp4-index-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What the file's own tables say. */
function indexOf(path: string) {
  const file = openSync(path, 'r')
  try {
    const index = readMp4Index(file)
    if (!index) return undefined
    const { pictures } = index
    const { pts, dts, duration, size } = pictures
    return Array.from({ length: pictures.length }, (_, i) => ({
      ...{ pts: pts[i]!, dts: dts[i]!, duration: duration[i]!, size: size[i]! },
      ...{ key: pictures.isKey(i), discarded: pictures.isDiscarded(i) },
    }))
  } finally {
    closeSync(file)
  }
}

function indexUnlessRefused(file: string) {
  try {
    return indexOf(file)
  } catch (error) {
    expect(error).toBeInstanceOf(UnsupportedVideo)
    return undefined
  }
}

/** What ffprobe finds by reading the whole file. */
async function listed(file: string) {
  const fields = ['-show_entries', 'packet=pts,dts,duration,size,flags', '-select_streams', 'V:0']
  const lines = await ffprobe(['-of', 'compact=p=0:nk=1', ...fields, '-i', file])
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [pts, dts, duration, size, flags] = line.split('|')
      const numbers = { pts: Number(pts), dts: Number(dts), duration: Number(duration), size: Number(size) }
      return { ...numbers, key: flags![0] === 'K', discarded: flags![1] === 'D' }
    })
}

const USUAL: SourceKind[] = ['mp4-h264-aac', 'mp4-h264-open-gop', 'mp4-bframes', 'mov-h264', 'ntsc']
test.each(USUAL)('the tables of %s tell what a reading of the whole file does', async (kind) => {
  const file = await makeSource(kind)
  expect(indexOf(file)).toEqual(await listed(file))
})

const ODD: SourceKind[] = ['edit-list', 'mp4-fragmented', 'mkv-vfr', 'avi-mpeg4-mp3']
test.each(ODD)('of %s somebody else is to be asked', async (kind) => {
  expect(indexOf(await makeSource(kind))).toBeUndefined()
})

test('a file that ends before its last picture has no index', async () => {
  const content = readFileSync(await makeSource('mp4-h264-aac'))
  const file = path.join(folder, 'short.mp4')
  writeFileSync(file, content.subarray(0, content.length - 100))
  expect(indexOf(file)).toBeUndefined()
})

test('whatever the tables say, reading them ends well', { timeout: 120_000 }, async () => {
  const content = readFileSync(await makeSource('mp4-h264-aac'))
  const moov = content.indexOf('moov')
  const tables = content.readUInt32BE(moov - 4)
  const file = path.join(folder, 'damaged.mp4')
  const damage = fc.record({
    at: fc.integer({ min: 0, max: tables - 9 }),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7fffffff, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      const damaged = Buffer.from(content)
      for (const { at, value } of damages) damaged.writeUInt32BE(value, moov + at)
      writeFileSync(file, damaged)
      const found = indexUnlessRefused(file)
      for (const { size, pts } of found ?? []) {
        expect(size).toBeLessThanOrEqual(content.length)
        expect(Number.isSafeInteger(pts)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

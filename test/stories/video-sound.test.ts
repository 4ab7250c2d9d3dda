import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RATE, readTimeline, type Timeline } from '../support/hls/timeline.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { made, videoUploaderOf } from '../support/video.ts'

const HERTZ = 440

test('sound whose timestamps waver stays whole', async () => {
  const { api } = await composeForTest()
  const { file } = await videoUploaderOf(api).upload(await waveringTone(), { file_name: 'a.mkv' })
  const sound = await readTimeline(local(file.url), 0, { zero: 0, rounded: 0.001 })
  expect(sound.length).toBeGreaterThan(5 * RATE)
  expect(worstSurprise(sound.subarray(RATE / 2, 5 * RATE))).toBeLessThan(0.02)
})

/** As other programs write Vorbis: the time of a block is by turns that of its beginning and of its end. */
async function waveringTone(): Promise<Buffer> {
  const steady = await made(
    [
      ...['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=25:d=6', '-f', 'lavfi', '-i', `sine=f=${HERTZ}:d=6`],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ],
    'mkv',
  )
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-made-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'steady.mkv')
  writeFileSync(file, steady)
  const wavering = "setts=ts='TS+if(mod(floor(N/20),2),15,0)/1000/TB'"
  return made(['-i', file, '-c', 'copy', '-bsf:a', wavering], 'mkv')
}

/** Of a single tone, each sample follows from the two before: by how much the worst does not. */
function worstSurprise(tone: Timeline): number {
  const turn = 2 * Math.cos((2 * Math.PI * HERTZ) / RATE)
  let worst = 0
  let loudest = 0
  for (let i = 2; i < tone.length; i++) {
    worst = Math.max(worst, Math.abs(tone[i]! - turn * tone[i - 1]! + tone[i - 2]!))
    loudest = Math.max(loudest, Math.abs(tone[i]!))
  }
  expect(loudest).toBeGreaterThan(1000)
  return worst / loudest
}

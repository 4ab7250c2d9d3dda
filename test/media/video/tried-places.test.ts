import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { planInChild } from '../../../server/media/video/planner/plan-in-child.ts'
import { studyVideo } from '../../../server/media/video/study.ts'
import { standIn } from '../../support/media-programs.ts'
import { withNoise } from '../../support/videos/damage.ts'
import { ffmpeg } from '../../support/videos/programs.ts'

test('pictures are tried at some places, also beside sound; what lies between is not decoded', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-tried-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const film = path.join(folder, 'film.mp4')
  await ffmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=40', '-f', 'lavfi', '-i', 'sine=d=40'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac', film],
  ])
  writeFileSync(film, await withNoise(film, 'v', { keep: 8, from: 8, to: 14 }))
  // Whoever decodes the noise fails, and looks at the sound by itself, which is refused here.
  const program = standIn('-v fatal -copyts', 'exit 1')
  const tools = { ffmpeg: program, ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 120 }
  const plan = await (await studyVideo(tools, film, 'basic')).plan
  expect(plan.video.some(({ copied }) => copied)).toBe(true)
  expect(plan.audio).toHaveLength(1)
})

test('a part of a film is as long where it is encoded as where it is copied', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-tried-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const film = path.join(folder, 'film.mp4')
  await ffmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=5', '-f', 'lavfi', '-i', 'sine=d=9'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-c:a', 'aac', film],
  ])
  const tools = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', sandbox: detectSandbox(), silenceSeconds: 120 }
  const task = { quality: 'basic', window: { start: 0, end: 5 } } as const
  const { plan, encoded } = await planInChild(tools, film, task)
  expect(plan.video.some(({ copied }) => copied)).toBe(true)
  expect(encoded.video.some(({ copied }) => copied)).toBe(false)
  expect([encoded.end, encoded.source.until]).toEqual([plan.end, plan.source.until])
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { detectSandbox } from '../../server/media/sandbox.ts'
import { MediaProgramFailed } from '../../server/media/video/errors.ts'
import { showTimes } from '../../server/media/video/fragments.ts'
import { makeVideo } from '../../server/media/video/make-video.ts'
import type { MediaTools } from '../../server/media/video/program.ts'
import { studyVideo } from '../../server/media/video/study.ts'
import { film } from '../support/films.ts'
import { standIn } from '../support/media-programs.ts'

const tools: MediaTools = {
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffprobe',
  sandbox: detectSandbox(),
  silenceSeconds: 120,
}

/** Pictures in each segment of the film. */
const WHOLE = [50, 100, 100, 100, 100]

/** A run over all of a film, by these tools, and how many pictures the segments have that it handed over. */
async function begin(quality: 'copied' | 'encoded', own: MediaTools, signal?: AbortSignal) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-film-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const source = path.join(folder, 'film.mp4')
  writeFileSync(source, await film(20))
  const study = await studyVideo(tools, source, 'basic')
  const plan = await study.plan
  const rendition = plan.video.find(({ copied }) => copied === (quality === 'copied'))!
  const run = { source, plan, renditions: [rendition], first: 0, end: 5, nice: 0, signal }
  const pictures: number[] = []
  const ended = (onSegment: () => void = () => {}) =>
    makeVideo(own, run, async ({ bytes }) => {
      pictures.push(showTimes(bytes).length)
      onSegment()
    })
  return { pictures, ended }
}

test.each(['copied', 'encoded'] as const)(
  'of what is %s, a crash leaves no half segment',
  async (quality) => {
    const words = quality === 'copied' ? '-copypriorss' : '-force_key_frames'
    for (const bytes of [1_000_000, 2_000_000, 2_500_000]) {
      const crashing = standIn(words, `ffmpeg "$@" 3>&1 | head -c ${bytes} >&3; kill -SEGV $$`)
      const { pictures, ended } = await begin(quality, { ...tools, ffmpeg: crashing })
      await expect(ended()).rejects.toThrow(MediaProgramFailed)
      expect(pictures).toEqual(WHOLE.slice(0, pictures.length))
    }
  },
)

test.each(['copied', 'encoded'] as const)(
  'of what is %s, breaking off leaves no half segment',
  async (quality) => {
    const controller = new AbortController()
    const { pictures, ended } = await begin(quality, tools, controller.signal)
    await expect(ended(() => controller.abort())).rejects.toThrow('broken off')
    expect(pictures).toEqual(WHOLE.slice(0, pictures.length))
  },
)

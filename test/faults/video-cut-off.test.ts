import { execFileSync } from 'node:child_process'
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
import { ffmpeg } from '../support/videos/programs.ts'

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
  const segments: { bytes: Buffer; init: Buffer }[] = []
  const ended = (onSegment: () => void = () => {}) =>
    makeVideo(own, run, async ({ bytes, init }) => {
      pictures.push(showTimes(bytes).length)
      segments.push({ bytes, init })
      onSegment()
    })
  return { pictures, segments, ended }
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

/** Copies without the second that opens the third segment, so that its first key picture comes a second late. */
const LATE = `
  for one; do
    shift
    [ "$one" != -copypriorss ] || set -- "$@" -bsf:v 'noise=drop=between(n\\,150\\,174)'
    set -- "$@" "$one"
  done
  exec ffmpeg "$@"`

test.each([
  ['ends early', 'exec ffmpeg -t 9 "$@"'],
  ['has a key picture late', LATE],
])('where a copy %s, the rest of it is encoded in its place', async (_, script) => {
  const other = standIn('-copypriorss', script)
  const { pictures, segments, ended } = await begin('copied', { ...tools, ffmpeg: other })
  await ended()
  expect(pictures).toEqual(WHOLE)
  // With the initialisation segment that was given out before, the whole and what was encoded alone.
  const init = segments[0]!.init
  expect(segments.every((one) => one.init.equals(init))).toBe(true)
  const media = segments.map(({ bytes }) => bytes)
  expect(decoded([init, ...media])).toBe(450)
  for (const [i, bytes] of media.entries()) expect(decoded([init, bytes])).toBe(WHOLE[i])
})

/** How many pictures a decoder makes of it, without an error. */
function decoded(media: Buffer[]): number {
  const args = ['-v', 'error', '-xerror', '-i', 'pipe:0', '-fps_mode', 'passthrough', '-f', 'framecrc', '-']
  const lines = execFileSync('ffmpeg', args, { input: Buffer.concat(media) }).toString()
  return [...lines.matchAll(/^0,/gm)].length
}

test('a picture just before a segment begins is not taken for its first', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-film-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const source = path.join(folder, 'close.mkv')
  // Every fiftieth is a millisecond before the one after it, where segments are cut.
  const times = 'setpts=if(eq(mod(N\\,50)\\,49)\\,(N+1)*40-1\\,N*40)'
  await ffmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=12,settb=1/1000,${times}`],
    ...['-c:v', 'mpeg4', '-q:v', '5', '-fps_mode', 'passthrough', '-enc_time_base', '1:1000', source],
  ])
  const plan = await (await studyVideo(tools, source, 'basic')).plan
  const pictures: number[] = []
  const run = { source, plan, renditions: plan.video, first: 0, end: plan.segments.length, nice: 0 }
  await makeVideo(tools, run, async ({ bytes }) => {
    pictures.push(showTimes(bytes).length)
  })
  expect(pictures).toEqual([50, 50, 100, 100])
})

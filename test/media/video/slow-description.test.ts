import { expect, test } from 'vitest'
import { detectSandbox } from '../../../server/media/sandbox.ts'
import { studyVideo } from '../../../server/media/video/study.ts'
import { standIn } from '../../support/media-programs.ts'
import { makeSource } from '../../support/videos/sources.ts'

test('the pictures of a file that is listed before it is described are found', async () => {
  const ffprobe = standIn('-show_format', 'sleep 2', 'ffprobe')
  const tools = { ffmpeg: 'ffmpeg', ffprobe, sandbox: detectSandbox(), silenceSeconds: 120 }
  const { facts, plan } = await studyVideo(tools, await makeSource('webm-vp9-opus'), 'basic')
  expect(facts.duration).toBeGreaterThan(1)
  expect((await plan).video.length).toBeGreaterThan(0)
})

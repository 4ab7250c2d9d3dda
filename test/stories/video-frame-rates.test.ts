import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { made, videoUploaderOf } from '../support/video.ts'
import { ffprobe } from '../support/videos/programs.ts'
import { makeSource } from '../support/videos/sources.ts'

/** Fifty fields a second, each half of the lines of a picture of its own moment. */
const fields = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=720x576:rate=50:duration=2'],
  ...['-vf', 'tinterlace=interleave_top,setfield=tff', '-flags', '+ilme+ildct'],
]

test('framerate counts pictures as they are shown: of an interlaced film two fields are one', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const interlaced = {
    'h264.mp4': await readFile(await makeSource('interlaced')),
    'h264.mkv': await made([...fields, '-c:v', 'libx264', '-x264-params', 'tff=1'], 'mkv'),
    'mpeg2.mkv': await made([...fields, '-c:v', 'mpeg2video', '-q:v', '4'], 'mkv'),
  }
  for (const [name, content] of Object.entries(interlaced)) {
    const video = await videoUploaderOf(api).upload(content, { file_name: name })
    expect(video.framerate, name).toBe('25')
    expect((await api.get(`/videos/${video.id as string}`)).body.framerate, name).toBe('25')
    // What is played has as many.
    const count = ['-select_streams', 'v', '-count_packets', '-show_entries', 'stream=nb_read_packets']
    const played = await ffprobe([...count, '-of', 'csv=p=0', `${local(video.file.url)}/v360/index.m3u8`])
    expect(Number.parseInt(played, 10), name).toBe(Math.round(video.duration * 25))
  }
  const whole = await made(
    ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:r=30000/1001:d=1', '-c:v', 'libx264'],
    'mp4',
  )
  expect((await videoUploaderOf(api).upload(whole)).framerate).toBe('30000/1001')
})

import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { standIn } from '../support/media-programs.ts'
import { says } from '../support/scripted-server.ts'
import { made, videoUploaderOf } from '../support/video.ts'
import { receiverOf, TELLS_LOOPBACK } from './receiver.ts'

/** In the arguments of every call that encodes pictures, and of no other. */
const ENCODING = '-force_key_frames'

test('a video that plays and cannot be made whole is told as ready, then as failed, with the reason', async () => {
  const ffmpeg = standIn(ENCODING, 'kill -SEGV $$')
  const { api, seed } = await composeForTest({ env: { ...TELLS_LOOPBACK, MARQUEE_FFMPEG: ffmpeg } })
  const one = await receiverOf({ api, orgId: seed.org_id, projectId: seed.project_id }, [says(204)])
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1']
  const video = await videoUploaderOf(api).upload(await made([...picture, '-c:v', 'mpeg4'], 'mp4'))
  const about = () => one.told().filter(({ data }) => data.video_id === video.id)
  const kinds = () => about().map(({ type }) => type)
  await expect.poll(kinds, { timeout: 60_000 }).toEqual(['video.ready', 'video.failed'])
  expect(about()[1]!.data).toMatchObject({
    id: video.id,
    project_id: seed.project_id,
    reason: 'a part of it cannot be decoded',
  })
})

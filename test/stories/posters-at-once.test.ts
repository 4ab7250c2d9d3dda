import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, formsOf, videoUploaderOf } from '../support/video.ts'

const ROUNDS = process.env.MARQUEE_TEST_LONG ? 100 : 15

test('whoever reads a video while its poster is exchanged gets the video', {
  timeout: 900_000,
}, async () => {
  const { api, url, seed } = await composeForTest({
    env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' },
  })
  const { id } = await videoUploaderOf(api).upload(await clip(1))
  const forms = formsOf({ url, seed })
  const content = await smallJpeg()
  let isDone = false
  const reads: number[] = []
  async function read(path: string) {
    while (!isDone) reads.push((await api.get(path)).status)
  }
  const readers = [`/videos/${id}`, `/videos/${id}/thumbnail`, '/videos'].flatMap((path) => [
    read(path),
    read(path),
  ])
  for (let round = 0; round < ROUNDS; round++)
    expect((await forms.put(`/videos/${id}/thumbnail`, ['thumbnail', { content }])).status).toBe(200)
  isDone = true
  await Promise.all(readers)
  expect([...new Set(reads)]).toEqual([200])
})

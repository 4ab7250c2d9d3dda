import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { openTarget } from '../support/hostile-uploads.ts'
import { clip, videoUploaderOf } from '../support/video.ts'
import { makeManyPictures } from '../support/videos/many-pictures.ts'

const MEGABYTES = 2 ** 20

/** The most memory that a process has had so far. */
function peakBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
}

test('an index that claims millions of pictures takes no memory of the service, and no turn of others', {
  timeout: 300_000,
}, async () => {
  const target = await openTarget()
  onTestFinished(() => target.close())
  const { service, folder } = target
  const { quickstart, api } = service
  const owner = api.as(bearer(quickstart.access_token))
  const organization = `/organizations/${quickstart.org_id}`
  const project = await owner.post(`${organization}/projects/v1`, { name: 'other' })
  const made = await owner.post(`${organization}/api-keys/v1`, { name: 'other', project_id: project.body.id })
  const other = videoUploaderOf(api.as(key(made.body.api_key.secret)))
  const good = await clip(1)
  // What an ordinary film takes is not what is measured.
  await other.upload(good)

  const many = async (more: Parameters<typeof makeManyPictures>[1]) =>
    readFileSync(await makeManyPictures(folder, more))
  const poison: [content: Buffer, words: RegExp][] = [
    // The first two could be there, as far as an index can tell; of the second, all of it is read to find out.
    [await many({ count: 100_000, bytesOfOne: 8 }), /^none of its pictures can be decoded$/],
    [await many({ count: 4_900_000, bytesOfOne: 8, ticksOfOne: 10_000 }), /^it is longer than 24 hours$/],
    [await many({ count: 5_000_000 }), /^it has more pictures than a file of its size can hold$/],
    [await many({ count: 4_000_000_000, bytes: 1000 }), /^its index lists more than the file holds/],
    [
      await many({ count: 2, bytesOfOne: 8, ticksOfOne: 2 ** 31 - 1, ticksPerSecond: 1 }),
      /^it is longer than 24 hours$/,
    ],
  ]
  const before = peakBytes(service.pid)
  const { send, complete } = videoUploaderOf(api)
  const attack = poison.map(async ([content, words]) => {
    const { video_id } = await send(content)
    const answer = await complete(video_id)
    expect(answer.body).toMatchObject({ code: 400, details: expect.stringMatching(words) })
  })
  expect((await other.upload(good)).file.status).toBe('ready')
  await Promise.all(attack)
  expect(peakBytes(service.pid) - before).toBeLessThan(120 * MEGABYTES)
})

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { film } from '../support/films.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, objectsOnDisk } from '../support/media.ts'
import { mediaPrograms } from '../support/media-programs.ts'
import { serviceForTest } from '../support/service.ts'
import { videoUploaderOf } from '../support/video.ts'

const VIDEOS = process.env.MARQUEE_TEST_LONG ? 100 : 4

test(`of ${VIDEOS} videos deleted while they are made, nothing is left`, {
  timeout: VIDEOS * 60_000,
}, async () => {
  const service = await serviceForTest()
  const { api, dataDir } = service
  const content = await film(20)
  for (let number = 0; number < VIDEOS; number++) {
    const video = await videoUploaderOf(api).upload(content)
    // Elsewhere each time: before anything is made, in the middle of a run, between two.
    await sleep(number % 3 === 0 ? 0 : Math.random() * 1500)
    const url = local(video.file.url)
    const asked = ['v360/4.m4s', 'a0/2.m4s', 'v480/1.m4s', 'storyboard/0.jpg'].map((name) =>
      fetch(`${url}/${name}`),
    )
    expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
    expect((await fetch(url)).status).toBe(404)
    for (const answer of await Promise.all(asked)) expect([200, 404]).toContain(answer.status)
  }
  while (mediaPrograms(service).length > 0) await sleep(50)
  const left = objectsOnDisk(dataDir).map((file) => file.slice(dataDir.length))
  expect(left).toEqual([])
  expect((await api.get('/project')).body.storage_used).toBe(0)
  expect((await api.get('/videos')).body.pagination.total).toBe(0)
  expect(service.output().match(/^.*"level":[56]0.*$/gm)).toBeNull()
})

test('the jobs of deleted videos end', { timeout: 120_000 }, async () => {
  const { api, sql } = await composeForTest()
  const content = await film(20)
  for (let number = 0; number < 3; number++) {
    const video = await videoUploaderOf(api).upload(content)
    expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  }
  while ((await sql`select from jobs`).length > 0) await sleep(50)
  for (const table of ['segments', 'segment_claims', 'playback_plans', 'garbage'])
    expect(await sql.unsafe(`select from ${table}`), table).toHaveLength(0)
})

test('what a maker put just before it was killed, of a video deleted meanwhile, goes too', async () => {
  const { api, sql, dataDir, seed } = await composeForTest({ env: { MARQUEE_SWEEP_INTERVAL: '1' } })
  const video = await videoUploaderOf(api).upload(await film(4))
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  const late = path.join(dataDir, 'objects/media', seed.project_id, video.file.id, 'hls/v360/0.m4s')
  mkdirSync(path.dirname(late), { recursive: true })
  writeFileSync(late, 'a segment')
  // Said again and again: a maker that has not heard of the deletion yet notes one more before it puts it.
  const hasLoose = async () => (await sql`update orphaned_objects set due_at = now()`).count > 0
  while ((await hasLoose()) || objectsOnDisk(dataDir).length > 0) await sleep(200)
  expect(objectsOnDisk(dataDir)).toEqual([])
})

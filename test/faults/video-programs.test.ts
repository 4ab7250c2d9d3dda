import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FileId } from '../../server/base/ids.ts'
import { handle } from '../../server/platform/jobs/port.ts'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { FILL, fillVideo } from '../../server/transcoding/fill-video.ts'
import { failVideo } from '../../server/videos/fail-video.ts'
import { film, whenSettled } from '../support/films.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, objectsOnDisk } from '../support/media.ts'
import { mediaPrograms, processesWith, standIn } from '../support/media-programs.ts'
import { serviceForTest, startService } from '../support/service.ts'
import { clip, made, videoUploaderOf } from '../support/video.ts'

/** In the arguments of every call that encodes pictures, and of no other. */
const ENCODING = '-force_key_frames'

test('a file that kills its worker three times has failed, with a reason', { timeout: 180_000 }, async () => {
  const { api, sql, dataDir } = await composeForTest({
    env: { MARQUEE_FFMPEG: standIn(ENCODING, 'kill -SEGV $$') },
  })
  const video = await videoUploaderOf(api).upload(await film(12))
  const url = local(video.file.url)
  expect(video.file.status).toBe('ready')
  // What needs no encoding plays until then.
  expect((await fetch(`${url}/v480/2.m4s`)).status).toBe(200)

  const progress = await whenSettled(api, video.id)
  expect(progress).toMatchObject({ status: 'failed', reason: 'a part of it cannot be decoded' })
  expect((await api.get(`/videos/${video.id}`)).body.file.status).toBe('error')
  for (const address of ['', '/v480/index.m3u8', '/v480/2.m4s', '/v360/0.m4s'])
    expect((await fetch(url + address)).status, address).toBe(404)
  while ((await sql`select from jobs where failed_at is null`).length > 0) await sleep(50)
  expect(await sql`select last_error from jobs`).toMatchObject([
    { last_error: expect.stringContaining('ffmpeg') },
  ])
  while (mediaPrograms({ pid: process.pid, dataDir }).length > 0) await sleep(50)

  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
  expect((await api.get('/project')).body.storage_used).toBe(0)
})

test('a file that its service died of three times is not tried again', { timeout: 120_000 }, async () => {
  const { api, sql } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const video = await videoUploaderOf(api).upload(await clip(1))
  // As three workers leave it that were killed in the middle.
  await sql`update jobs set attempts = 3, due_at = now()`
  const never = () => expect.unreachable()
  const jobs = postgresJobs(sql, { queues: [FILL], onError: () => {} })
  jobs.work([
    handle(
      FILL,
      fillVideo({
        sql,
        maker: { fill: never },
        presentations: { find: never },
        onFailed: (fileId: FileId, reason: string) => failVideo(sql, fileId, reason),
      } as never),
    ),
  ])
  expect(await whenSettled(api, video.id)).toMatchObject({
    status: 'failed',
    reason: 'processing it failed again and again',
  })
  while ((await sql`select from jobs where queue = ${FILL.name} and failed_at is null`).length > 0)
    await sleep(50)
  await jobs.close()
  expect((await fetch(local(video.file.url))).status).toBe(404)
})

test('a hung program is ended with all its processes', { timeout: 180_000 }, async () => {
  const seconds = `86400.${process.pid}`
  const { api, sql, dataDir } = await composeForTest({
    env: { MARQUEE_FFMPEG: standIn(ENCODING, `sleep ${seconds} & wait`), MARQUEE_MEDIA_SILENCE: '5' },
  })
  const video = await videoUploaderOf(api).upload(await film(12))
  const asleep = () => processesWith(`sleep ${seconds}`)
  while (asleep().length === 0) await sleep(20)
  const first = asleep()
  while (first.some((pid) => existsSync(`/proc/${pid}`))) await sleep(50)
  // It is tried again, and nobody has to wait for the end of that.
  while (asleep().length === 0) await sleep(20)
  expect((await api.delete(`/videos/${video.id}`)).status).toBe(204)
  while (asleep().length > 0 || mediaPrograms({ pid: process.pid, dataDir }).length > 0) await sleep(50)
  while ((await sql`select from jobs`).length > 0) await sleep(50)
  await expect.poll(() => objectsOnDisk(dataDir)).toEqual([])
})

test('a program that takes more memory than it may fails, and takes down its own film only', {
  timeout: 180_000,
}, async () => {
  // In the place of what decodes sound, which goes on where it is given the memory.
  const greedy = standIn('pcm_f32le', 'dd if=/dev/zero of=/dev/null bs=3G count=1 || exit 1')
  const { api, sql } = await composeForTest({ env: { MARQUEE_FFMPEG: greedy } })
  const { upload } = videoUploaderOf(api)
  // Its sound is not of a kind that can be copied.
  const pictures = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=2', '-c:a', 'libmp3lame']
  const refused = await upload(
    await made([...pictures, ...sound, '-c:v', 'libx264', '-pix_fmt', 'yuv420p'], 'mp4'),
  )
  expect(await whenSettled(api, refused.id)).toMatchObject({ status: 'failed', reason: expect.any(String) })
  const [job] = await sql`select last_error from jobs where failed_at is not null`
  expect(job!.last_error).toMatch(/memory exhausted/)

  const silent = await upload(await clip(2, ['-an']))
  expect(await whenSettled(api, silent.id)).toMatchObject({ status: 'complete' })
})

test('where the programs are missing, nothing is held against the file', { timeout: 180_000 }, async () => {
  const broken = await startService({ env: { MARQUEE_FFPROBE: '/nowhere/ffprobe' } })
  const { send, complete } = videoUploaderOf(broken.api)
  const { video_id } = await send(await clip(1))
  const refused = await complete(video_id)
  expect(refused.status).toBeGreaterThanOrEqual(500)
  expect(JSON.stringify(refused.body)).not.toContain('nowhere')
  await expect.poll(() => objectsOnDisk(broken.dataDir)).toHaveLength(1)
  await broken.stop()

  const { api } = await serviceForTest({ dataDir: broken.dataDir })
  expect((await videoUploaderOf(api).complete(video_id)).status).toBe(200)
})

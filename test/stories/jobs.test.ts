import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { progressOf, whenSettled } from '../support/films.ts'
import { marquee } from '../support/marquee.ts'
import { local } from '../support/media.ts'
import { standIn } from '../support/media-programs.ts'
import { serviceForTest, startService } from '../support/service.ts'
import { clip, made, videoUploaderOf } from '../support/video.ts'

/** In the arguments of every call that encodes pictures, and of no other. */
const ENCODING = '-force_key_frames'

/** A little film of a kind that is never copied. */
const old = () =>
  made(['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'mpeg4'], 'mp4')

test('an operator finds what has failed and why, and has it done again', { timeout: 240_000 }, async () => {
  const broken = await startService({
    env: { MARQUEE_FFMPEG: standIn(ENCODING, 'echo "a lamp has burnt out" >&2; exit 3') },
  })
  const { dataDir } = broken
  const run = (...args: string[]) => marquee(dataDir, 'jobs', ...args, '--json')
  const figure = async (labels: string) => {
    const text = await (await fetch(`${broken.url}/metrics`)).text()
    return Number(new RegExp(`^${labels.replaceAll(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
  }
  expect((await marquee(dataDir, 'jobs', 'list', '--queue', 'fill-video')).out).toBe('  (none)\n')
  expect(await figure('marquee_jobs{queue="fill-video",state="failed"}')).toBe(0)

  const video = await videoUploaderOf(broken.api).upload(await old())
  expect(await whenSettled(broken.api, video.id)).toMatchObject({ status: 'failed' })
  let failed = (await run('list', '--state', 'failed')).json()
  while (failed.length === 0) {
    await sleep(50)
    failed = (await run('list', '--state', 'failed')).json()
  }
  expect(failed).toMatchObject([
    { queue: 'fill-video', key: video.file.id, state: 'failed', attempts: 3, failed_at: expect.any(String) },
  ])
  expect(failed[0].last_error).toContain('a lamp has burnt out')
  expect(await figure('marquee_jobs{queue="fill-video",state="failed"}')).toBe(1)
  expect(await figure('marquee_jobs{queue="fill-video",state="running"}')).toBe(0)
  expect(await figure('marquee_jobs_oldest_waiting_seconds{queue="fill-video"}')).toBe(0)
  const table = (await marquee(dataDir, 'jobs', 'list')).out.trim().split('\n')
  expect(table).toHaveLength(2)
  await broken.stop()

  // A lamp that works is put in, and nobody has to send the film again.
  const mended = await serviceForTest({ dataDir })
  const { id } = failed[0]
  expect((await run('retry', '--job', String(id))).json()).toEqual({ retried: [id] })
  while ((await progressOf(mended.api, video.id)).status !== 'complete') await sleep(50)
  expect((await mended.api.get(`/videos/${video.id}`)).body.file.status).toBe('ready')
  expect((await fetch(local(video.file.url).replace(broken.url, mended.url))).status).toBe(200)
  while ((await run('list')).json().length > 0) await sleep(50)
  expect(await marquee(dataDir, 'jobs', 'retry', '--job', String(id))).toMatchObject({
    code: 1,
    err: `marquee: there is no job ${id}. See: npm run marquee -- jobs list\n`,
  })
})

test('jobs are dropped by id or by queue, and mistakes are told in one line', async () => {
  const service = await serviceForTest({ env: { MARQUEE_ROLES: 'api' } })
  const { dataDir, api } = service
  await videoUploaderOf(api).upload(await clip(1))
  const run = (...args: string[]) => marquee(dataDir, 'jobs', ...args)
  const [job] = (await run('list', '--json')).json()
  expect(job).toMatchObject({ queue: 'fill-video', state: 'waiting', attempts: 0, last_error: null })
  expect((await run('drop', '--queue', 'fill-video', '--json')).json()).toEqual({ dropped: [] })
  expect((await run('drop', '--job', String(job.id), '--json')).json()).toEqual({ dropped: [job.id] })
  expect((await run('list')).out).toBe('  (none)\n')
  for (const [args, message] of [
    [['retry'], 'name either a job with --job'],
    [['drop', '--job', '1', '--queue', 'x'], 'name either a job with --job'],
    [['drop', '--job', 'x'], '--job "x" is not a number'],
    [['list', '--state', 'lost'], '--state "lost" is not one of waiting, running, failed.'],
  ] as const) {
    const { code, err } = await run(...args)
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
    expect(err.trim().split('\n')).toHaveLength(1)
  }
  expect((await run('retry', '--help')).out).toContain('--queue <name>')
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { checkHls } from '../support/hls/check.ts'
import { local } from '../support/media.ts'
import { s3Proxy } from '../support/s3-proxy.ts'
import { installationForTest } from '../support/scale/installation.ts'
import { machinesForTest } from '../support/scale/machines.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { made, videoUploaderOf } from '../support/video.ts'

const MACHINES = 4
const TOKEN = 'of those who read figures'
const FILM = [
  ...['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=330'],
  // Of which nothing can be copied.
  ...['-t', '60', '-c:v', 'mpeg4', '-q:v', '5', '-c:a', 'libmp3lame'],
]

/** An installation whose workers are each on a machine of its own, and have nothing in common but what goes over the network. */
async function onMachines() {
  const store = await s3Proxy(inject('engines')!.s3.endpoint)
  const installation = await installationForTest({
    apis: 1,
    workers: 0,
    env: { MARQUEE_S3_ENDPOINT: store.endpoint },
  })
  const { machines, reached } = machinesForTest(MACHINES)
  const env = {
    ...installation.env,
    MARQUEE_METRICS_TOKEN: TOKEN,
    MARQUEE_ROLES: 'worker',
    MARQUEE_HOST: '0.0.0.0',
    MARQUEE_PORT: '8080',
  }
  for (const name of ['MARQUEE_DATABASE_URL', 'MARQUEE_REDIS_URL', 'MARQUEE_S3_ENDPOINT'])
    env[name as keyof typeof env] = await reached(env[name as keyof typeof env])
  const { urls } = inject('engines')!.clickHouse
  const clickHouse = (await Promise.all(urls.map((url) => reached(url)))).join(',')
  const workers = await Promise.all(
    machines.map(async ({ within, ...machine }) => {
      const dataDir = emptyDataDir()
      const service = await startService({
        dataDir,
        env: { ...env, MARQUEE_CLICKHOUSE_URL: clickHouse },
        within,
      })
      onTestFinished(async () => {
        await service.stop()
        discard(dataDir)
      })
      return { ...machine, url: `http://${machine.address}:8080` }
    }),
  )
  return { installation, store, workers }
}

async function madeBy({ url }: { url: string }): Promise<number> {
  const figures = await (await fetch(`${url}/metrics`, { headers: bearer(TOKEN) })).text()
  return Number(/^marquee_segments_made_total (\d+)/m.exec(figures)![1])
}

test('workers that share no disk make one film together; one whose cable is pulled out holds it up for its lease at most', async () => {
  const { installation, store, workers } = await onMachines()
  const { api } = installation
  const film = await made(FILM, 'mp4')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-film-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const source = path.join(folder, 'film.mp4')
  writeFileSync(source, film)

  const together = await videoUploaderOf(api).upload(film)
  const isDone = async (id: string) => (await api.get(`/videos/${id}/progress`)).body.status === 'complete'
  await expect.poll(() => isDone(together.id), { timeout: 240_000 }).toBe(true)
  const shares = await Promise.all(workers.map(madeBy))
  for (const share of shares) expect(share, `of ${shares}`).toBeGreaterThan(0)
  expect(await checkHls(local(together.file.url), { source, settled: true })).toEqual([])

  // Two of four are cut off in the middle of the next.
  const cutOff = workers.slice(0, 2)
  const interrupted = await videoUploaderOf(api).upload(film)
  const percent = async () => (await api.get(`/videos/${interrupted.id}/progress`)).body.percent
  await expect.poll(percent).toBeGreaterThan(10)
  expect(await percent()).toBeLessThan(80)
  for (const machine of cutOff) machine.cutOff()
  await expect.poll(() => isDone(interrupted.id), { timeout: 160_000 }).toBe(true)
  const objects = new Map(store.stored)
  for (const machine of cutOff) machine.reconnect()
  for (const { url } of cutOff)
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 120_000 }).toBe(200)

  // What they had under way when they were cut off has changed nothing.
  expect(new Map(store.stored)).toEqual(objects)
  for (const [name, times] of objects) if (/\/\d+\.m4s$/.test(name)) expect(times, name).toBe(1)
  expect(await checkHls(local(interrupted.file.url), { source, settled: true })).toEqual([])
}, 700_000)

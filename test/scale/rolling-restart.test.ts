import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { videoOf, watchesOf, watching } from '../support/events.ts'
import { checkHls } from '../support/hls/check.ts'
import { local, uploaderOf } from '../support/media.ts'
import { installationForTest } from '../support/scale/installation.ts'
import { nextVersion } from '../support/scale/next-version.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const VIDEO = videoOf(7)

test('processes go over to the next version one after the other under load, no request fails and a film goes on', async () => {
  // The proxy looks more often than a process tells that it will go.
  const unlimited = { MARQUEE_LIMIT_KEY_PER_MINUTE: '0', MARQUEE_LIMIT_EVENTS_PER_MINUTE: '0' }
  const env = { MARQUEE_STOP_NOTICE: '6', ...unlimited }
  const installation = await installationForTest({ checkMs: 200, env })
  const { api } = installation
  const [picture, film] = await Promise.all([scene(120, 80).jpeg().toBuffer(), clip(2)])
  const failures: string[] = []
  const done = { reads: 0, uploads: 0, films: 0, events: 0 }
  let isOver = false

  async function again(kind: keyof typeof done, work: () => Promise<number>): Promise<void> {
    while (!isOver) {
      const status = await work().catch((error) => String(error.cause ?? error))
      if (status === 200) done[kind]++
      else failures.push(`${kind}: ${status}`)
    }
  }
  const load = [
    again('reads', async () => (await api.get('/project')).status),
    again('reads', async () => (await api.get('/images?limit=5')).status),
    again('uploads', async () => {
      const { status, body } = await uploaderOf(api).upload(picture)
      return status === 200 ? (await fetch(body.file.url)).status : status
    }),
    again('films', async () => {
      const { status, body } = await uploadAndOpen()
      return status === 200 && !body.startsWith('#EXTM3U') ? 0 : status
    }),
    again('events', async () => (await api.post('/analytics/v1/events', watching(VIDEO, 3))).status),
  ]
  async function uploadAndOpen() {
    const { file } = await videoUploaderOf(api).upload(film)
    const answer = await fetch(file.url)
    return { status: answer.status, body: await answer.text() }
  }

  /** A process counts once the proxy has seen it. */
  const servedBy = async () => (await fetch(`${installation.url}/healthz`)).headers.get('x-served-by')
  // Begun by old workers, and made by new ones.
  const content = await clip(24, ['-g', '3000'])
  const long = await videoUploaderOf(api).upload(content)
  const checkout = nextVersion()
  for (const [roles, services] of [
    ['api', installation.apis],
    ['worker', installation.workers],
  ] as const)
    for (const [i, { url, dataDir, stop }] of services.entries()) {
      expect(await stop('SIGTERM')).toBe(0)
      await installation.start(roles, { port: Number(new URL(url).port), dataDir, checkout })
      if (roles === 'api') await expect.poll(servedBy).toBe(`api${i + 1}`)
    }
  isOver = true
  await Promise.all(load)

  expect([...new Set(failures)]).toEqual([])
  for (const [kind, times] of Object.entries(done)) expect(times, kind).toBeGreaterThan(3)
  expect(await watchesOf(api, VIDEO)).toBe(3 * done.events)
  expect(await checkHls(local(long.file.url), { source: fileOf(content) })).toEqual([])
  const isDone = async () => (await api.get(`/videos/${long.id}/progress`)).body.status === 'complete'
  await expect.poll(isDone, { timeout: 150_000 }).toBe(true)
}, 400_000)

function fileOf(content: Buffer): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-sent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'sent.mp4')
  writeFileSync(file, content)
  return file
}

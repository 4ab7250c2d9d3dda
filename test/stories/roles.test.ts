import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { processesWith } from '../support/media-programs.ts'
import { serviceForTest } from '../support/service.ts'
import { watching } from '../support/watching.ts'

test('a worker answers nothing but its health and its metrics', async () => {
  const { api } = await composeForTest({ env: { MARQUEE_ROLES: 'worker' } })
  for (const address of ['/healthz', '/readyz', '/metrics'])
    expect((await api.get(address)).status, address).toBe(200)
  for (const address of ['/project', '/videos', '/docs', '/openapi.json', '/cdn/a/b', '/feeds/x', '/nowhere'])
    expect(await api.get(address), address).toMatchObject({
      status: 404,
      body: { code: 404, error: 'Not Found', details: expect.stringContaining('MARQUEE_ROLES') },
    })
  expect((await api.post('/analytics/v1/events', { events: [] })).status).toBe(404)
  expect((await api.post('/billing/webhooks/payments', {})).status).toBe(404)
})

test('a worker on its own says where its health is told', async () => {
  const worker = await serviceForTest({ env: { MARQUEE_ROLES: 'worker' } })
  expect(worker.output()).toMatch(/as a worker/)
  expect(await (await fetch(`${worker.url}/readyz`)).json()).toMatchObject({ status: 'ready' })
})

test('an api alone takes no jobs and sweeps nothing; a worker sweeps what puts have left behind', async () => {
  const settings = { MARQUEE_SWEEP_INTERVAL: '1', MARQUEE_BROKEN_UPLOADS_KEEP: '1' }
  const leave = (dataDir: string) => {
    const file = path.join(dataDir, 'temporary', 'left-by-a-crash')
    writeFileSync(file, 'half of something')
    return file
  }
  const api = await composeForTest({ env: { ...settings, MARQUEE_ROLES: 'api' } })
  const kept = leave(api.dataDir)
  await api.sql`insert into jobs (queue, key, payload) values ('remove-feed', 'feed', '{"feedId":"feed"}')`
  const worker = await composeForTest({ env: { ...settings, MARQUEE_ROLES: 'worker' } })
  const swept = leave(worker.dataDir)
  await worker.sql`insert into jobs (queue, key, payload) values ('remove-feed', 'feed', '{"feedId":"feed"}')`
  while (existsSync(swept) || (await worker.sql`select from jobs`).length > 0) await sleep(50)
  expect(existsSync(kept)).toBe(true)
  expect(await api.sql`select attempts from jobs`).toEqual([{ attempts: 0 }])
})

test('an event engine that does not answer makes the service not ready, by name', async () => {
  const { api, dataDir } = await composeForTest()
  expect((await api.get('/readyz')).body.engines).toMatchObject({ events: 'ok', postgres: 'ok' })
  // Nobody has needed it yet, and being asked for its health does not start it.
  const engine = () => processesWith(path.join(dataDir, 'events', 'events.duckdb'))
  expect(engine()).toEqual([])
  expect((await api.post('/analytics/v1/events', { events: [watching()] })).status).toBe(200)
  while (engine().length === 0 || (await api.get('/readyz')).status !== 200) await sleep(50)
  const pids = engine()
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name)
  }
  signal('SIGSTOP')
  onTestFinished(() => signal('SIGCONT'))
  const answer = await api.get('/readyz')
  expect(answer).toMatchObject({ status: 503, body: { code: 503 } })
  expect(answer.body.details).toContain('events: unavailable')
  expect(answer.body.details).toContain('postgres: ok')
  signal('SIGCONT')
  while ((await api.get('/readyz')).status !== 200) await sleep(50)
})

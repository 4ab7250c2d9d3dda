import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { processesIn, serviceForTest, startService } from '../support/service.ts'

test('health, readiness and metrics', async () => {
  const { api } = await composeForTest()
  const anybody = api.as({})
  expect((await anybody.get('/healthz')).body).toEqual({ status: 'ok' })
  expect((await anybody.get('/readyz')).body).toEqual({
    status: 'ready',
    engines: { postgres: 'ok', objects: 'ok', events: 'ok' },
  })
  await api.get('/project')
  await api.get('/nowhere')
  const metrics = await anybody.get('/metrics')
  expect(metrics.headers.get('content-type')).toContain('text/plain')
  expect(metrics.body).toContain(
    'marquee_http_request_duration_seconds_count{method="GET",route="/project",status="200"} 1',
  )
  expect(metrics.body).toContain('route="none",status="404"')
  expect(metrics.body).toContain('marquee_process_resident_memory_bytes')
})

test('metrics are the operator’s', async () => {
  const open = await composeForTest()
  expect((await open.api.as({}).get('/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(403)
  const closed = await composeForTest({ env: { MARQUEE_METRICS_TOKEN: 'let-me-see' } })
  const anybody = closed.api.as({})
  expect((await anybody.get('/metrics')).status).toBe(401)
  expect((await anybody.get('/metrics', { authorization: 'Bearer let-me-guess' })).status).toBe(401)
  expect((await anybody.get('/metrics', { authorization: 'Bearer let-me-see' })).status).toBe(200)
})

test('readiness says which engine is missing, and comes back with it', async () => {
  const service = await serviceForTest()
  const ready = () => service.api.as({}).get('/readyz')
  const postmaster = Math.min(...processesIn(service.dataDir))
  process.kill(postmaster, 'SIGSTOP')
  for (const pid of processesIn(service.dataDir)) if (pid !== postmaster) process.kill(pid, 'SIGKILL')
  const answer = await ready()
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(answer.body).toEqual({
    code: 503,
    error: 'Service Unavailable',
    details: 'postgres: unavailable, objects: ok, events: ok',
  })
  expect((await service.api.as({}).get('/healthz')).status).toBe(200)
  process.kill(postmaster, 'SIGCONT')
  while ((await ready()).status !== 200) await sleep(50)
})

test('a request under way is finished before the service stops', async () => {
  const service = await startService()
  const { port } = new URL(service.url)
  const socket = net.connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const body = JSON.stringify({
    email: service.quickstart.owner_email,
    password: service.quickstart.owner_password,
  })
  socket.write(
    `POST /auth/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  )
  // Under way for certain once a later connection has been answered.
  await service.api.get('/project')
  const stopped = service.stop('SIGTERM')
  while (await isOpen(Number(port))) await sleep(10)
  socket.write(body.slice(10))
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  expect(answer).toContain('access_token')
  expect(await stopped).toBe(0)
})

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.connect(port, '127.0.0.1', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}

test('logs are JSON lines that hold no secret', async () => {
  const service = await startService()
  const { quickstart, api } = service
  const anybody = api.as({})
  const login = { email: quickstart.owner_email, password: quickstart.owner_password }
  const { body: tokens } = await anybody.post('/auth/v1/login', login)
  await anybody.post('/auth/v1/token', { refresh_token: tokens.refresh_token })
  await anybody.post('/platform/auth/v1/token', { api_key: quickstart.api_key })
  await api.get(`/project?key=${quickstart.publishable_key}`)
  await anybody.get('/project', { authorization: `Bearer ${tokens.access_token}`, 'x-request-id': 'find-me' })
  await anybody.post(`/organizations/${quickstart.org_id}/api-keys/v1`, { password: 'hunter2hunter2' })
  await service.stop()
  // The welcome of a first start says the key, once and on purpose; everything after it is the log.
  const log = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const entries = log.map((line) => JSON.parse(line))
  expect(entries.find((entry) => entry.reqId === 'find-me')).toMatchObject({
    method: 'GET',
    path: '/project',
    status: 200,
  })
  const secrets = [
    quickstart.api_key,
    quickstart.publishable_key,
    quickstart.owner_password,
    quickstart.access_token,
    tokens.access_token,
    tokens.refresh_token,
    'hunter2hunter2',
    quickstart.webhook_secret,
  ]
  for (const secret of secrets) expect(log.join('\n')).not.toContain(secret)
})

test('connections that never ask for anything do not hold up a stop', async () => {
  const service = await startService({ env: { MARQUEE_DRAIN_TIMEOUT: '600' } })
  const { port } = new URL(service.url)
  const silent = net.connect(Number(port), '127.0.0.1')
  const half = net.connect(Number(port), '127.0.0.1', () => half.write('GET /project HTTP/1.1\r\nHos'))
  for (const socket of [silent, half]) socket.on('error', () => {})
  await service.api.get('/project')
  expect(await service.stop()).toBe(0)
})

import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { tidyWebhooks } from '../../server/webhooks/index.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { fileServer } from '../support/file-server.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { neverEnds, saysLess } from '../support/scripted-server.ts'

const DAY = 86400
const HOUR = 3600

/** Everything but one address is inside, and nobody is waited for long. */
const composeWith = (dnsServer: string) =>
  composeForTest({
    env: {
      MARQUEE_OUTBOUND_NETWORKS: '127.0.0.2/32',
      MARQUEE_DNS_SERVERS: dnsServer,
      MARQUEE_WEBHOOK_TIMEOUT: '1',
    },
  })

/** Writes a little again and again until nobody listens any more. */
function drip({ socket }: ServerResponse, text: string): void {
  const timer = setInterval(() => socket?.write(text), 20)
  socket?.on('close', () => clearInterval(timer)).on('error', () => {})
}

function answer(request: IncomingMessage, response: ServerResponse, inside: string): unknown {
  switch (request.url) {
    case '/takes':
      return response.writeHead(204, { connection: 'close' }).end()
    case '/redirects':
      return response.writeHead(307, { location: inside }).end()
    case '/endless':
      return neverEnds(response, request)
    case '/short':
      return saysLess(response, request)
    case '/slow-headers':
      response.socket!.write('HTTP/1.1 200 OK\r\nx-more: ')
      return drip(response, 'x')
    case '/slow-body':
      response.writeHead(200)
      response.flushHeaders()
      return drip(response, '1\r\nx\r\n')
    case '/in-two-hours':
      return response.writeHead(503, { 'retry-after': String(2 * HOUR) }).end()
    case '/at-a-date':
      return response
        .writeHead(429, { 'retry-after': new Date(Date.now() + 3 * HOUR * 1000).toUTCString() })
        .end()
    case '/next-century':
      return response.writeHead(503, { 'retry-after': String(36_500 * DAY) }).end()
    case '/silent':
      return undefined
    default:
      return response.writeHead(500).end('broken')
  }
}

function hooksOf({ api, seed }: InProcess) {
  const base = `/organizations/${seed.org_id}/webhooks/v1`
  async function create(url: string): Promise<{ id: string; path: string }> {
    const made = await api.post(base, { project_id: seed.project_id, url })
    expect(made.status).toBe(201)
    return { id: made.body.webhook.id, path: `${base}/${made.body.webhook.id}` }
  }
  /** Tells it something, and answers the delivery once it has been tried. */
  async function tell(path: string) {
    const { body } = await api.post(`${path}/test`)
    const told = async () => (await api.get(`${path}/deliveries/${body.id}`)).body
    await expect.poll(async () => (await told()).tries.length, { timeout: 30_000 }).toBe(1)
    const { tries, ...delivery } = await told()
    return { ...delivery, tried: tries[0] }
  }
  return { create, tell }
}

test('an endpoint that lies, stalls, redirects or hides an inner address comes to nothing; its wishes are heeded', async () => {
  const dns = await startDnsServer()
  const service = await composeWith(dns.address)
  const { create, tell } = hooksOf(service)
  const inside = await fileServer((_, response) => response.writeHead(204).end(), '127.0.0.1')
  const outside = await fileServer((request, response) => answer(request, response, inside.url))
  const first = async (address: string) => tell((await create(address)).path)
  const at = (place: string) => first(`${outside.url}${place}`)

  const [redirected, endless, short, slowHeaders, slowBody, seconds, date, century] = await Promise.all(
    [
      '/redirects',
      '/endless',
      '/short',
      '/slow-headers',
      '/slow-body',
      '/in-two-hours',
      '/at-a-date',
      '/next-century',
    ].map(at),
  )
  expect(redirected).toMatchObject({ state: 'pending', tried: { response: { status: 307 } } })
  expect(endless).toMatchObject({ state: 'delivered', tried: { response: { body: 'x'.repeat(4096) } } })
  expect(short).toMatchObject({ state: 'pending', tried: { error: expect.stringContaining('broken off') } })
  for (const slow of [slowHeaders, slowBody])
    expect(slow).toMatchObject({ state: 'pending', tried: { error: 'no answer within 1 seconds' } })
  const waits = ({ next_attempt_at: at, tried }: typeof seconds) =>
    (Date.parse(at) - Date.parse(tried.started_at)) / 1000
  for (const [delivery, wished] of [
    [seconds, 2 * HOUR],
    [date, 3 * HOUR],
    [century, DAY],
  ] as const) {
    expect(waits(delivery)).toBeGreaterThan(wished - 5)
    expect(waits(delivery)).toBeLessThan(wished + 120)
  }

  const { port } = new URL(outside.url)
  dns.addresses.set('outside.test', [['127.0.0.2']])
  dns.addresses.set('both.test', [['127.0.0.2', '10.0.0.7']])
  dns.addresses.set('inside.test', [['127.0.0.1']])
  // Were it looked up once to be checked and once more to be called, the second address would be called.
  dns.addresses.set('rebinds.test', [['127.0.0.2'], ['127.0.0.1']])
  const named = (name: string, to = port) => create(`http://${name}:${to}/takes`)
  const rebinds = await named('rebinds.test')
  expect(await tell((await named('outside.test')).path)).toMatchObject({ state: 'delivered' })
  expect(await tell(rebinds.path)).toMatchObject({ state: 'delivered' })
  for (const { path } of [rebinds, await named('both.test'), await named('inside.test', String(inside.port))])
    expect(await tell(path)).toMatchObject({
      state: 'pending',
      tried: { error: expect.stringContaining('is inside a private network') },
    })
  expect(inside.asked).toEqual([])
})

test('tries go on for three days with pauses that grow, each another; after five days an endpoint is switched off', async () => {
  const dns = await startDnsServer()
  const service = await composeWith(dns.address)
  const { api, sql } = service
  const { create, tell } = hooksOf(service)
  const outside = await fileServer((request, response) => answer(request, response, ''))
  const { id, path } = await create(`${outside.url}/fails`)
  await Promise.all([1, 2, 3].map(() => tell(path)))
  const [kept] = await sql<{ seconds: number }[]>`
    select extract(epoch from max(give_up_at - created_at))::float as seconds from webhook_deliveries`
  expect(kept!.seconds).toBe(3 * DAY)
  const pausesAfter = (attempt: number) => sql<{ seconds: number }[]>`
    select extract(epoch from d.due_at - a.started_at)::float as seconds
    from webhook_deliveries d join webhook_attempts a using (endpoint_id, seq) where a.attempt = ${attempt}`
  for (const [attempt, grown] of [
    [1, 5],
    [4, 135],
    [12, 6 * HOUR],
  ] as const) {
    if (attempt > 1) await sql`update webhook_deliveries set attempts = ${attempt - 1}, due_at = now()`
    await expect.poll(async () => (await pausesAfter(attempt)).length, { timeout: 30_000 }).toBe(3)
    const pauses = (await pausesAfter(attempt)).map(({ seconds }) => seconds)
    for (const pause of pauses) {
      expect(pause).toBeGreaterThan(grown * 0.8)
      expect(pause).toBeLessThan(grown * 1.2 + 30)
    }
    expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(grown / 1e5)
  }
  // The next pause would end after it.
  await sql`update webhook_deliveries set due_at = now(), give_up_at = now() + interval '1 hour'`
  const failed = async () => (await api.get(`${path}/deliveries?state=failed`)).body
  await expect.poll(async () => (await failed()).pagination.total, { timeout: 30_000 }).toBe(3)
  expect((await failed()).data[0].last_try).toMatchObject({
    duration_ms: expect.any(Number),
    request: { body: expect.stringContaining('"test":true') },
    response: { status: 500, body: 'broken' },
  })

  const config = loadConfig({})
  expect(config.webhookOffAfterSeconds).toBe(5 * DAY)
  const times = { offAfterSeconds: config.webhookOffAfterSeconds, keepSeconds: config.webhookKeepSeconds }
  const failsFor = async (seconds: number) => {
    await sql`update webhook_endpoints set failing_since = now() - make_interval(secs => ${seconds}) where id = ${id}`
    await tidyWebhooks(sql, times)
    return (await api.get(path)).body.webhook
  }
  expect(await failsFor(5 * DAY - 60)).toMatchObject({ enabled: true })
  expect(await failsFor(5 * DAY + 60)).toMatchObject({
    enabled: false,
    disabled_reason: expect.stringMatching(/^it has taken nothing since 2.+; last: it answered 500$/),
  })
})

test('a silent endpoint with much to be told holds up no other', async () => {
  const dns = await startDnsServer()
  const service = await composeWith(dns.address)
  const { api, sql, seed } = service
  const { create } = hooksOf(service)
  const outside = await fileServer((request, response) => answer(request, response, ''))
  const silent = await create(`${outside.url}/silent`)
  const taking = await create(`${outside.url}/takes`)
  const total = async (path: string, state: string) =>
    (await api.get(`${path}/deliveries?state=${state}`)).body.pagination.total
  await sql`
    insert into webhook_outbox (org_id, project_id, kind, resource, data)
    select ${seed.org_id}, ${seed.project_id}, 'image.deleted', 'img_' || i, '{}' from generate_series(1, 300) i`
  await expect.poll(() => total(taking.path, 'delivered'), { timeout: 60_000 }).toBe(300)
  expect(await total(silent.path, 'pending')).toBe(300)
  expect(outside.asked.some(({ url }) => url === '/silent')).toBe(true)
})

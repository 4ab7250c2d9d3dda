import { expect, test } from 'vitest'
import { attempt, createClient, MarqueeError } from '../../packages/client/src/index.ts'
import { hangsUp, keepsSilent, says, scriptedServer } from '../support/scripted-server.ts'

const OVERLOADED = says(503, { code: 503, error: 'Service Unavailable', details: 'not yet' })
const FINE = says(200, { id: 'feed_1' })

const feed = { path: { feedId: 'feed_1' } }

test('what may be repeated is sent again until it succeeds', async () => {
  const server = await scriptedServer(OVERLOADED, hangsUp, says(502), FINE)
  const client = createClient({ url: server.url, apiKey: 'a' })
  expect(await client.get('/feeds/{feedId}/info', feed)).toEqual({ id: 'feed_1' })
  expect(server.heard.map(({ method, url }) => `${method} ${url}`)).toEqual(
    Array(4).fill('GET /feeds/feed_1/info'),
  )
})

test('what might be done twice is sent once', async () => {
  const server = await scriptedServer(OVERLOADED, FINE)
  const client = createClient({ url: server.url })
  const { error } = await attempt(client.post('/feeds', { body: { name: 'news' } }))
  expect(error).toBeInstanceOf(MarqueeError)
  expect(error).toMatchObject({ status: 503, error: 'Service Unavailable', details: 'not yet' })
  expect(server.heard).toHaveLength(1)
})

test('a key makes it safe to repeat, and is the same each time', async () => {
  const server = await scriptedServer(OVERLOADED, hangsUp, says(200, { success: true }))
  const client = createClient({ url: server.url })
  await client.post('/analytics/v1/events', { body: { events: [] }, idempotencyKey: 'once' })
  expect(server.heard.map(({ headers }) => headers['idempotency-key'])).toEqual(['once', 'once', 'once'])
  expect(new Set(server.heard.map(({ body }) => body))).toEqual(new Set(['{"events":[]}']))
})

test('it is not repeated for ever, and a refusal is not repeated at all', async () => {
  const server = await scriptedServer(OVERLOADED)
  const { error } = await attempt(createClient({ url: server.url, retries: 1 }).get('/project'))
  expect(error?.status).toBe(503)
  expect(server.heard).toHaveLength(2)

  const strict = await scriptedServer(says(404, { code: 404, error: 'Feed not found' }))
  const refused = await attempt(createClient({ url: strict.url }).get('/feeds/{feedId}/info', feed))
  expect(refused.error).toMatchObject({ status: 404, code: 404, error: 'Feed not found', details: undefined })
  expect(strict.heard).toHaveLength(1)
})

test('how often depends on the failure where the caller says so, and each is told of', async () => {
  const server = await scriptedServer(OVERLOADED, hangsUp, OVERLOADED, says(500))
  const told: number[] = []
  const retries = ({ status }: MarqueeError) => (status === 500 ? 1 : Infinity)
  const onRetry = ({ status }: MarqueeError) => told.push(status)
  const { error } = await attempt(createClient({ url: server.url }).get('/project', { retries, onRetry }))
  expect(error?.status).toBe(500)
  expect(told).toEqual([503, 0, 503])
})

test('the wait that the service asks for is kept, also for what else is sent once', async () => {
  const limited = says(429, { code: 429, error: 'Too Many Requests' }, { 'retry-after': '1' })
  const server = await scriptedServer(limited, FINE)
  await createClient({ url: server.url }).post('/feeds', { body: { name: 'news' } })
  const [first, second] = server.heard
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(995)
})

test('where there is no Retry-After, the ceiling that is used up says how long', async () => {
  const headers = { ratelimit: '"key";r=900;t=60, "minute";r=0;t=1' }
  const server = await scriptedServer(says(429, { code: 429, error: 'Too Many Requests' }, headers), FINE)
  await createClient({ url: server.url }).get('/project')
  const [first, second] = server.heard
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(995)
})

test('a wait that is too long is told at once', async () => {
  const server = await scriptedServer(
    says(429, { code: 429, error: 'Too Many Requests' }, { 'retry-after': '3000' }),
  )
  const { error } = await attempt(createClient({ url: server.url }).get('/project'))
  expect(error).toMatchObject({ status: 429, retryAfter: 3000 })
  expect(server.heard).toHaveLength(1)
})

test('a page that is not the service’s is an error with its status', async () => {
  const server = await scriptedServer((response) => response.writeHead(400).end('<h1>no</h1>'))
  const { error } = await attempt(createClient({ url: server.url }).get('/project'))
  expect(error).toMatchObject({ status: 400, code: 400, error: 'Bad Request' })
})

test('time that is up is an error of its own, and the next try has all of it again', async () => {
  const server = await scriptedServer(keepsSilent, FINE)
  const client = createClient({ url: server.url, timeout: 300 })
  expect(await client.get('/feeds/{feedId}/info', feed)).toEqual({ id: 'feed_1' })

  const silent = await scriptedServer(keepsSilent)
  const { error } = await attempt(createClient({ url: silent.url, timeout: 50, retries: 0 }).get('/project'))
  expect(error).toMatchObject({ status: 0, error: 'Timeout' })
})

test('a body that stops coming is late too', async () => {
  const server = await scriptedServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
  })
  const { error } = await attempt(createClient({ url: server.url, timeout: 200, retries: 0 }).get('/project'))
  expect(error).toMatchObject({ status: 0, error: 'Timeout' })
})

test('nobody there is an error that says so', async () => {
  const { url, close } = await scriptedServer(FINE)
  close()
  const { error } = await attempt(createClient({ url, retries: 0 }).get('/project'))
  expect(error).toMatchObject({ status: 0, error: 'Network error' })
  expect(error!.details).toContain('ECONNREFUSED')
})

test('a signal ends a call, also while it waits to be sent again', async () => {
  const silent = await scriptedServer(keepsSilent)
  const calling = new AbortController()
  const call = createClient({ url: silent.url }).get('/project', { signal: calling.signal })
  await expect.poll(() => silent.heard.length).toBe(1)
  calling.abort(new Error('left the page'))
  await expect(call).rejects.toThrow('left the page')

  const limited = await scriptedServer(says(429, {}, { 'retry-after': '50' }))
  const waiting = new AbortController()
  const second = createClient({ url: limited.url }).get('/project', { signal: waiting.signal })
  await expect.poll(() => limited.heard.length).toBe(1)
  setTimeout(() => waiting.abort(new Error('left the page')), 50)
  await expect(second).rejects.toThrow('left the page')
  expect(limited.heard).toHaveLength(1)
})

import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Heard, hangsUp, says, scriptedServer } from '../support/scripted-server.ts'

interface Sending {
  createTracker(options: object): Record<
    'engagement' | 'interaction' | 'error' | 'view',
    (fields: object) => void
  > & {
    consent(isGiven: boolean): void
    flush(): Promise<void>
    close(): Promise<void>
  }
}

/** As it is built: its sources are checked for browsers, which this program is not. */
const { createTracker }: Sending = await import(
  path.resolve(import.meta.dirname, '../../packages/tracker/dist/index.js')
)

const FINE = says(200)
const LIKE = { engagement_type: 'like', resource_id: 'post_1' }

const open = (url: string, more: object = {}) =>
  createTracker({ url, key: 'mq_pk_a', viewerId: 'ada', wait: 10, ...more })

const keyOf = ({ url }: Heard) => new URL(url, 'http://a').searchParams.get('idempotency_key')
const eventsOf = ({ body }: Heard) => JSON.parse(body).events

test('events are sent together, by the publishable key, under who watches', async () => {
  const server = await scriptedServer(FINE)
  const tracker = open(server.url, { country: 'PT' })
  tracker.engagement(LIKE)
  tracker.interaction({ interaction_type: 'click', element_id: 'play', click_x: 3 })
  tracker.error({ error_type: 'network' })
  tracker.view({ content_id: 'img_1', content_type: 'MEDIA_TYPE_IMAGE', view_type: 'start' })
  await tracker.close()
  const [clock, batch] = server.heard
  // The first request has no events: its answer tells the time.
  expect(clock).toMatchObject({ url: '/analytics/v1/events?key=mq_pk_a', body: '{"events":[]}' })
  expect(batch!.url).toMatch(/^\/analytics\/v1\/events\?key=mq_pk_a&idempotency_key=[\w-]{20,}$/)
  expect(JSON.parse(batch!.body)).toMatchObject({ user_id: 'ada', country: 'PT' })
  const kinds = eventsOf(batch!).map((event: object) => Object.keys(event)[1])
  expect(kinds).toEqual(['session_start', 'engagement', 'interaction', 'error', 'content_view'])
  expect(eventsOf(batch!)[1]).toEqual({ timestamp: expect.any(String), engagement: LIKE })
  expect(server.heard).toHaveLength(2)
})

test('what failed is sent again under the same key with the same body, until it arrives', async () => {
  const server = await scriptedServer(FINE, says(503), hangsUp, says(408), FINE)
  const tracker = open(server.url)
  tracker.engagement(LIKE)
  await expect.poll(() => server.heard.length).toBe(5)
  const tries = server.heard.slice(1)
  expect(new Set(tries.map(keyOf)).size).toBe(1)
  expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
  tracker.engagement(LIKE)
  await tracker.flush()
  expect(keyOf(server.heard[5]!)).not.toBe(keyOf(tries[0]!))
  await tracker.close()
})

test('the wait that the service asks for is kept', async () => {
  const server = await scriptedServer(FINE, says(429, {}, { 'retry-after': '2' }), FINE)
  const tracker = open(server.url)
  tracker.engagement(LIKE)
  await expect.poll(() => server.heard.length).toBe(3)
  const [, refused, again] = server.heard
  expect(again!.at - refused!.at).toBeGreaterThanOrEqual(1990)
  await tracker.close()
})

test('a refusal is said once, and nothing is sent after it', async () => {
  const server = await scriptedServer(FINE, says(401, { code: 401, error: 'Unauthorized' }))
  const told: string[] = []
  const tracker = open(server.url, { onRefusal: (why: string) => told.push(why) })
  tracker.engagement(LIKE)
  await expect.poll(() => told.length).toBe(1)
  expect(told[0]).toContain('401 {"code":401,"error":"Unauthorized"}')
  tracker.engagement(LIKE)
  await tracker.flush()
  await tracker.close()
  expect(server.heard).toHaveLength(2)
  expect(told).toHaveLength(1)

  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const strict = await scriptedServer(says(403, { error: 'Forbidden' }))
  const other = open(strict.url)
  other.engagement(LIKE)
  await other.close()
  expect(warned.mock.calls).toEqual([[expect.stringContaining('403')]])
  warned.mockRestore()
})

test('times are the service’s, whatever the page’s clock says', async () => {
  const real = Date.now()
  const server = await scriptedServer(FINE)
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real + 40 * 86_400_000)
  const tracker = open(server.url)
  tracker.engagement(LIKE)
  await tracker.close()
  now.mockRestore()
  const [{ timestamp }] = eventsOf(server.heard[1]!)
  expect(Math.abs(Date.parse(timestamp) - real)).toBeLessThan(60_000)
})

test('so are those of requests that were full before the service’s clock was known', async () => {
  const real = Date.now()
  const server = await scriptedServer(FINE)
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real + 40 * 86_400_000)
  const tracker = open(server.url, { wait: 60_000 })
  for (let i = 0; i < 30; i++) tracker.engagement({ comment_text: 'a'.repeat(1000) })
  await tracker.close()
  now.mockRestore()
  const times = server.heard.slice(1).flatMap(eventsOf)
  expect(times).toHaveLength(31)
  for (const { timestamp } of times) expect(Math.abs(Date.parse(timestamp) - real)).toBeLessThan(60_000)
})

test('what was tried and not acknowledged for 23 hours is not sent again, also by the page that made it', async () => {
  const server = await scriptedServer(FINE, says(503), FINE)
  const tracker = open(server.url)
  tracker.engagement(LIKE)
  await tracker.flush()
  expect(server.heard).toHaveLength(2)
  const real = Date.now
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real() + 23.1 * 3_600_000)
  tracker.engagement({ engagement_type: 'share' })
  await tracker.close()
  now.mockRestore()
  expect(server.heard.slice(2).flatMap(eventsOf)).toEqual([
    { timestamp: expect.any(String), engagement: { engagement_type: 'share' } },
  ])
})

test('texts are as long as the service takes them, and small events share a request', async () => {
  const server = await scriptedServer(FINE)
  const tracker = open(server.url, { wait: 60_000 })
  tracker.error({ error_type: 'script', stack_trace: 'a'.repeat(70_000) })
  for (let i = 0; i < 3000; i++) tracker.interaction({})
  await tracker.close()
  const [first, ...others] = server.heard.slice(1)
  expect(eventsOf(first!)[1].error).toEqual({ error_type: 'script', stack_trace: 'a'.repeat(16_384) })
  expect(others.flatMap(eventsOf)).toHaveLength(3000)
  for (const request of others) expect(eventsOf(request).length).toBeLessThanOrEqual(1000)
})

test('many events are several requests, none larger than a beacon may be', async () => {
  const server = await scriptedServer(FINE)
  const tracker = open(server.url, { wait: 60_000 })
  for (let i = 0; i < 60; i++) tracker.engagement({ comment_text: `${i} ${'ü'.repeat(1000)}` })
  await tracker.close()
  const batches = server.heard.slice(1)
  expect(batches.length).toBeGreaterThan(3)
  for (const { body } of batches) expect(Buffer.byteLength(body)).toBeLessThan(64 * 1024)
  expect(batches.flatMap(eventsOf)).toHaveLength(61)
})

test('without consent nothing is sent, and what is withdrawn is forgotten', async () => {
  const server = await scriptedServer(FINE)
  const tracker = open(server.url, { consent: false })
  tracker.engagement(LIKE)
  await tracker.flush()
  expect(server.heard).toHaveLength(0)
  tracker.consent(true)
  tracker.engagement(LIKE)
  await tracker.flush()
  expect(eventsOf(server.heard[1]!)).toHaveLength(2)
  tracker.engagement({ engagement_type: 'share' })
  tracker.consent(false)
  tracker.engagement(LIKE)
  await tracker.close()
  expect(server.heard).toHaveLength(2)
})

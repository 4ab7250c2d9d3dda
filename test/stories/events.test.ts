import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { KINDS } from '../../server/platform/events/fields.ts'
import { key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { serviceForTest } from '../support/service.ts'
import { ago, watches, watching } from '../support/watching.ts'

const PATH = '/analytics/v1/events'
const API_ONLY = { env: { MARQUEE_ROLES: 'api' } }

/** Sends a body as it is. */
async function send(
  { url, seed }: Pick<InProcess, 'url' | 'seed'>,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + PATH, {
    method: 'POST',
    headers: { 'x-api-key': seed.api_key, 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const VALUES = { text: 'x', duration: '1.5s', double: 0.25, int32: -7, boolean: true }
const WRONG: Record<string, unknown> = {
  text: 1,
  duration: '1.5',
  double: '0.25',
  int32: 0.5,
  boolean: 'true',
}

/** Each field of each kind, with what it may be and what it may not. */
const FIELDS = Object.entries(KINDS).flatMap(([kind, fields]) =>
  Object.entries(fields as Record<string, keyof typeof VALUES | readonly string[]>).map(([name, type]) => ({
    kind,
    name,
    good: typeof type === 'string' ? [VALUES[type]] : type,
    bad: typeof type === 'string' ? WRONG[type] : 'other',
  })),
)

test('every field of every kind is taken, and refused by name where it is wrong', async () => {
  const { api } = await composeForTest(API_ONLY)
  const fields = FIELDS.flatMap(({ kind, name, good }) =>
    good.map((value) => ({ timestamp: ago(1), [kind]: { [name]: value } })),
  )
  const whole = Object.keys(KINDS).map((kind) => ({
    timestamp: ago(1),
    [kind]: Object.fromEntries(
      FIELDS.filter((f) => f.kind === kind).map(({ name, good }) => [name, good[0]]),
    ),
  }))
  const segments = [
    {
      start_ms: '0s',
      end_ms: '9.5s',
      speed: 1.25,
      subtitle_language: 'en',
      audio_language: 'de',
      quality: 'VIDEO_QUALITY_PRO',
      chapter_title: 'One',
    },
  ]
  const envelope = {
    user_id: 'u',
    country: 'DE',
    city: 'Köln',
    region: 'NW',
    device: 'phone',
    os: 'Android',
    os_version: '16',
    language: 'de',
    browser: 'Chrome',
  }
  const events = [...fields, ...whole, watching({ segments }), { timestamp: ago(1), error: {} }]
  const taken = await api.post(PATH, { ...envelope, events })
  expect([taken.status, taken.body]).toEqual([200, {}])
  const realtime = await api.get('/analytics/v1/realtime')
  expect(realtime.body).toMatchObject({ active_users: 1, events_per_minute: events.length - 1 })

  for (const { kind, name, bad } of FIELDS) {
    const refused = await api.post(PATH, {
      events: [watching(), { timestamp: ago(1), [kind]: { [name]: bad } }],
    })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({
      error: 'Bad Request',
      details: expect.stringMatching(new RegExp(`^events\\[1\\]\\.${kind}\\.${name}: must be `)),
    })
  }
  expect(await watches(api)).toBe(1)
})

test('a request is taken whole or not at all', async () => {
  const { api } = await composeForTest(API_ONLY)
  for (const bad of [
    {},
    null,
    { timestamp: ago(0) },
    { ...watching(), error: {} },
    { ...watching(), more: 1 },
    watching({ viewtype: 'watch' }),
    watching({}, 'yesterday'),
    watching({}, new Date(Date.now() + 25 * 3600_000).toISOString()),
    watching({}, '1969-12-31T23:59:59Z'),
    watching({ segments: [{ begin: '0s' }] }),
  ]) {
    const { status, body } = await api.post(PATH, { events: [watching(), watching(), bad] })
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect(body.details).toMatch(/^events\[2\]/)
  }
  for (const body of [undefined, {}, [], { events: {} }, { events: [], organization: 'x' }])
    expect((await api.post(PATH, body)).status).toBe(400)
  expect(await watches(api)).toBe(0)
  expect((await api.post(PATH, { events: [] })).body).toEqual({})
  const ahead = watching({}, new Date(Date.now() + 23 * 3600_000).toISOString())
  expect((await api.post(PATH, { events: [ahead] })).status).toBe(200)
})

test('1,000 events and 2 MiB are taken, more is not, and nothing of it is kept', async () => {
  const service = await composeForTest(API_ONLY)
  const { api } = service
  const many = (count: number) => ({ events: Array.from({ length: count }, () => watching()) })
  expect((await api.post(PATH, many(1000))).status).toBe(200)
  const tooMany = await api.post(PATH, many(1001))
  expect([tooMany.status, tooMany.body]).toEqual([
    413,
    { code: 413, error: 'Payload Too Large', details: 'events: at most 1000 in a request' },
  ])

  const LIMIT = 2 * 2 ** 20
  /** No text is longer than it may be, so many events fill it. */
  const sized = (bytes: number) => {
    const full = { timestamp: ago(60), error: { stack_trace: 'x'.repeat(16_000) } }
    const events = Array<object>(Math.floor(bytes / (JSON.stringify(full).length + 1)) - 1).fill(full)
    const text = (filling: string) =>
      JSON.stringify({
        events: [
          watching(),
          ...events,
          { ...full, error: { os: filling.slice(0, 16_000), browser: filling.slice(16_000) } },
        ],
      })
    return text('x'.repeat(bytes - text('').length))
  }
  expect((await send(service, sized(LIMIT))).status).toBe(200)
  expect((await send(service, sized(LIMIT + 1))).body).toMatchObject({
    code: 413,
    error: 'Payload Too Large',
  })
  expect((await send(service, gzipSync(sized(LIMIT)), { 'content-encoding': 'gzip' })).status).toBe(200)
  // A few kilobytes that would unpack to a little more, and to much more.
  for (const bytes of [LIMIT + 1, 2 ** 26]) {
    const packed = await send(service, gzipSync(sized(bytes)), { 'content-encoding': 'gzip' })
    expect(packed.body).toEqual({
      code: 413,
      error: 'Payload Too Large',
      details: 'body: at most 2 MiB, unpacked too',
    })
  }
  expect(await watches(api)).toBe(1002)
})

test('bodies may be packed, and may be called text', async () => {
  const service = await composeForTest(API_ONLY)
  const body = JSON.stringify({ events: [watching()] })
  const packed = gzipSync(body)
  for (const [sent, headers] of [
    [packed, { 'content-encoding': 'gzip' }],
    [packed, { 'content-encoding': 'X-GZIP', 'content-type': 'text/plain;charset=UTF-8' }],
    [body, { 'content-encoding': 'identity' }],
    [body, { 'content-type': 'text/plain;charset=UTF-8' }],
    [body, { 'content-type': 'application/json; charset=utf-8' }],
  ] as const)
    expect((await send(service, sent, headers)).body).toEqual({})
  for (const broken of [body, packed.subarray(0, -9), randomBytes(100)])
    expect((await send(service, broken as string, { 'content-encoding': 'gzip' })).body).toEqual({
      code: 400,
      error: 'Bad Request',
      details: 'body: not valid gzip',
    })
  expect((await send(service, '')).body.details).toBe('body: is required')
  expect((await send(service, body.slice(1))).body.details).toBe('body: not valid JSON')
  for (const headers of [
    { 'content-encoding': 'deflate' },
    { 'content-encoding': 'gzip, gzip' },
    { 'content-type': 'application/xml' },
  ] as Record<string, string>[])
    expect((await send(service, body, headers)).body).toMatchObject({ code: 415 })
  expect(await watches(service.api)).toBe(5)
})

test('text is kept as it came, but for what is no text', async () => {
  const { api } = await composeForTest(API_ONLY)
  const values = ['"', '\\', '\n\t', '', '😀', '\u2028', "'; drop table events; --", '{"a":1}', '\u0001', '%']
  const page_url = (value: string) => ({
    timestamp: ago(1),
    interaction: { page_url: value, session_id: 's' },
  })
  await api.post(PATH, { events: [...values, 'half \ud83d'].map(page_url) })
  const counted = async (value: string) => {
    const steps = [{ name: 'one', event_type: 'interaction', filters: { page_url: value } }]
    return (await api.post('/analytics/v1/funnels', { steps })).body.total_users
  }
  for (const value of [...values, 'half \ufffd', 'half \ud800']) expect(await counted(value)).toBe(1)
  expect(await counted('half ')).toBe(0)
  const nul = await api.post(PATH, { events: [page_url('a\0b')] })
  expect(nul.body.details).toBe('events[0].interaction.page_url: must not contain NUL')
})

test('the same key and body count once within a day', async () => {
  const time = { now: Date.now() }
  const { api, seed } = await composeForTest({ ...API_ONLY, clock: () => time.now })
  const one = { events: [watching()] }
  const other = { events: [watching(), watching()] }
  const post = async (body: object, idempotencyKey: string, credential = seed.api_key) =>
    (await api.as(key(credential)).post(PATH, body, { 'idempotency-key': idempotencyKey })).status
  expect(await post(one, 'a')).toBe(200)
  expect(await post(one, 'a')).toBe(200)
  expect(await watches(api)).toBe(1)
  expect(await post(one, 'a', seed.publishable_key)).toBe(200)
  expect(await watches(api)).toBe(1)
  expect(await post(other, 'a')).toBe(200)
  expect(await watches(api)).toBe(3)
  expect(await post(one, 'b')).toBe(200)
  expect(await watches(api)).toBe(4)
  await Promise.all([post(one, 'c'), post(one, 'c'), post(one, 'c')])
  expect(await watches(api)).toBe(5)
  time.now += 24 * 3600_000 + 1
  expect(await post(one, 'a')).toBe(200)
  expect(await watches(api)).toBe(6)

  // A beacon has no headers: the same key in the query is the same request.
  const inQuery = (query: string) => api.post(`${PATH}?${query}`, one)
  expect((await inQuery('idempotency_key=b')).status).toBe(200)
  expect(await watches(api)).toBe(7)
  for (const query of ['idempotency_key=b', 'idempotency_key=a'])
    expect((await inQuery(query)).status).toBe(200)
  expect(await watches(api)).toBe(7)
  for (const query of ['idempotency_key=', 'idempotency_key=a&idempotency_key=b', 'idempotency_key=%09'])
    expect((await inQuery(query)).body.details).toContain('idempotency key: must be')

  expect(await post(one, ' ~'.repeat(127))).toBe(200)
  for (const bad of ['', 'x'.repeat(256), 'a\tb'])
    expect((await api.post(PATH, one, { 'idempotency-key': bad })).body).toMatchObject({
      code: 400,
      details: 'idempotency key: must be 1 to 255 printable ASCII characters',
    })
})

test('events have a ceiling of their own, and take nothing from the plan', async () => {
  const { api, seed } = await composeForTest({
    env: { MARQUEE_LIMIT_EVENTS_PER_MINUTE: '2', MARQUEE_LIMIT_CUSTOM_PER_MINUTE: '1' },
    clock: () => 1_800_000_000_000,
  })
  const post = (credential = seed.api_key) => api.as(key(credential)).post(PATH, { events: [] })
  const first = await post()
  expect(first.headers.get('ratelimit-policy')).toBe('"events";q=2;w=60')
  expect(first.headers.get('ratelimit')).toBe('"events";r=1;t=60')
  expect((await post()).status).toBe(200)
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await post(seed.publishable_key)).status).toBe(200)
  expect((await api.get('/project')).status).toBe(200)
  const free = await composeForTest({ env: { MARQUEE_LIMIT_EVENTS_PER_MINUTE: '0' } })
  expect((await free.api.post(PATH, { events: [] })).headers.get('ratelimit')).toBeNull()
})

test('the log has no key that was in the query', async () => {
  const service = await serviceForTest()
  const { publishable_key, api_key } = service.quickstart
  const anybody = service.api.as({ 'x-request-id': 'of-the-beacon' })
  expect((await anybody.post(`${PATH}?key=${publishable_key}`, { events: [watching()] })).status).toBe(200)
  expect((await anybody.post(`${PATH}?key=${api_key}`, { events: [watching()] })).status).toBe(401)
  expect(await watches(service.api, `?start=${ago(3600)}`)).toBe(1)
  await service.stop()
  const log = service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(log.filter((line) => line.includes('of-the-beacon'))).toHaveLength(2)
  for (const secret of [publishable_key, api_key]) expect(log.join('\n')).not.toContain(secret)
})

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { spanChannel } from '../../server/base/tracing.ts'
import { key } from '../support/api.ts'
import { type CollectedSpan, collector } from '../support/collector.ts'
import { whenSettled } from '../support/films.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { hangsUp, keepsSilent, says } from '../support/scripted-server.ts'
import { root as checkout, startService } from '../support/service.ts'
import { clip, made, videoUploaderOf } from '../support/video.ts'
import { watching } from '../support/watching.ts'
import { receiverOf, TELLS_LOOPBACK } from '../webhooks/receiver.ts'

const OFTEN = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200' }
const to = ({ url }: { url: string }) => ({ ...OFTEN, OTEL_EXPORTER_OTLP_ENDPOINT: url })

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const KEPT = `00-${TRACE}-${CALLER}-01`
const NOT_KEPT = `00-${TRACE}-${CALLER}-00`

const named = (spans: CollectedSpan[], name: string) => spans.find((span) => span.name === name)
/** The names in the table of docs/operating.md, with what stands there for all like it. */
function documented(): { name: string; likes: (span: CollectedSpan) => boolean }[] {
  const page = readFileSync(path.join(checkout, 'docs/operating.md'), 'utf8')
  const [, rows] = /\n\| span \|[^\n]*\n\| ---[^\n]*\n((?:\|.*\n)+)/.exec(page)!
  const names = rows!.split('\n').flatMap((row) => [...(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? [])])
  return names.map(([, name]) => ({ name: name!, likes: LIKE[name!] ?? ((span) => span.name === name) }))
}

const LIKE: Record<string, (span: CollectedSpan) => boolean> = {
  'GET /videos/:videoId': ({ attributes }) => 'http.route' in attributes,
  'select videos': ({ attributes }) => 'db.query.text' in attributes,
  'job fill-video': ({ name }) => name.startsWith('job '),
}
/** By engines and receivers that the embedded service does not have. */
const ELSEWHERE = ['PutObjectCommand', 'clickhouse select', 'webhook delivery']

const ofTrace = (spans: CollectedSpan[]) => spans.filter(({ traceId }) => traceId === TRACE)

test('an upload is one trace, from the caller through the request and its statements to ffmpeg; what a tenant sent is not in it', async () => {
  const collects = await collector(says(200))
  const service = await startService({
    env: {
      ...to(collects),
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of%20the%20collector',
      OTEL_SERVICE_NAME: 'films',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
    },
  })
  const { api, quickstart } = service
  const { send } = videoUploaderOf(api)
  const about = { file_name: 'a-secret-name.mp4', title: 'a secret title' }
  const { video_id: id } = await send(await clip(2), about)
  const traced = api.as({ ...key(quickstart.api_key), traceparent: KEPT })
  expect((await traced.post('/videos/upload/complete', { video_id: id })).status).toBe(200)
  await whenSettled(api, id)
  await api.get(`/videos?search=a-secret-search`)
  await api.get(`/videos/${id}`)
  // What the index of an MP4 does not tell.
  const other = await made(['-f', 'lavfi', '-i', 'testsrc2=size=160x90:duration=1'], 'mkv')
  await videoUploaderOf(api).upload(other, { file_name: 'other.mkv' })
  await uploaderOf(api).upload(await smallJpeg())
  expect((await api.post('/analytics/v1/events', { events: [watching({ device_id: 'one' })] })).status).toBe(
    200,
  )
  await api.as(key('sk_a_secret_key_that_is_wrong')).get('/videos')
  const kinds = documented()
  for (const { name, likes } of kinds.filter(({ name }) => !ELSEWHERE.includes(name)))
    await expect.poll(() => collects.spans().some(likes), { message: name }).toBe(true)
  for (const span of collects.spans())
    expect(
      kinds.some(({ likes }) => likes(span)),
      span.name,
    ).toBe(true)
  expect(await service.stop()).toBe(0)

  const spans = ofTrace(collects.spans())
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const root = named(spans, 'POST /videos/upload/complete')!
  expect(root).toMatchObject({ parentSpanId: CALLER, kind: 2, failed: false })
  expect(root.attributes).toMatchObject({
    'http.route': '/videos/upload/complete',
    'http.response.status_code': '200',
    'marquee.request_id': expect.stringMatching(/^req_/),
  })
  // One tree: every other span hangs below one that is there.
  for (const span of spans)
    if (span !== root) expect([...byId.keys()], span.name).toContain(span.parentSpanId)
  const ffmpeg = named(spans, 'ffmpeg')!
  const transaction = named(spans, 'transaction')!
  for (const one of [ffmpeg, transaction, named(collects.spans(), 'ffprobe')!]) expect(one.kind).toBe(3)
  const inTransaction = spans.filter(({ parentSpanId }) => parentSpanId === transaction.spanId)
  expect(inTransaction.map(({ attributes }) => attributes['db.query.text']).join()).toContain('$1')

  const job = named(collects.spans(), 'job fill-video')!
  expect(job.parentSpanId).toBeUndefined()
  expect(job.links).toMatchObject([{ traceId: TRACE }])
  expect(byId.has(job.links[0]!.spanId)).toBe(true)
  const below = collects.spans().filter(({ traceId }) => traceId === job.traceId)
  expect(below.filter(({ parentSpanId }) => parentSpanId === job.spanId).length).toBeGreaterThan(0)

  expect(collects.resources()[0]).toMatchObject({
    'service.name': 'films',
    'deployment.environment.name': 'test bed',
  })
  expect(collects.heard[0]!.headers.authorization).toBe('Bearer of the collector')
  const counted = collects.points().filter(({ name }) => name === 'marquee_http_request_duration_seconds')
  expect(counted.map(({ attributes }) => attributes.route)).toContain('/videos/upload/complete')
  const names = new Set(collects.points().map(({ name }) => name))
  for (const name of ['marquee_jobs', 'marquee_segments_made_total', 'marquee_process_open_fds'])
    expect([...names]).toContain(name)

  const secrets = [
    ...['a-secret-name', 'a secret title', 'a-secret-search', 'sk_a_secret_key', service.dataDir],
    ...[quickstart.api_key, quickstart.owner_password, quickstart.owner_email],
  ]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5)
    expect(collects.raw()).not.toContain(secret)
  }
  // Addresses of uploads have tokens in them.
  expect(collects.raw()).not.toMatch(/\/upload\/(?!complete|init|:)\w+/)
})

test('every figure of /metrics is sent', async () => {
  const collects = await collector(says(200))
  const { url } = await composeForTest({ env: to(collects), fresh: true })
  const text = await (await fetch(`${url}/metrics`)).text()
  // What Node is busy with changes from one moment to the next.
  const told = [...text.matchAll(/^# TYPE (\S+) /gm)]
    .map(([, name]) => name!)
    .filter((name) => !/_active_/.test(name))
  expect(told.length).toBeGreaterThan(25)
  const sent = () => [...new Set(collects.points().map(({ name }) => name))]
  await expect.poll(sent).toEqual(expect.arrayContaining(told))
})

test('the ratio decides over new traces, and the caller over its own unless it is told not to', async () => {
  const ask = async (env: Record<string, string>) => {
    const collects = await collector(says(200))
    const { api, seed, service } = await composeForTest({ env: { ...to(collects), ...env }, fresh: true })
    for (const traceparent of [KEPT, NOT_KEPT, 'nonsense', `${KEPT}${'0'.repeat(9)}`])
      await api.as({ ...key(seed.api_key), traceparent }).get('/images')
    await service.close()
    return collects.spans().filter(({ name }) => name === 'GET /images')
  }
  expect((await ask({ OTEL_TRACES_SAMPLER_ARG: '0' })).map(({ traceId }) => traceId)).toEqual([TRACE])
  const byRatio = await ask({ OTEL_TRACES_SAMPLER: 'traceidratio' })
  expect(byRatio).toHaveLength(4)
  expect(new Set(byRatio.map(({ traceId }) => traceId)).size).toBe(3)
})

test('an endpoint of a webhook is told of the trace that its delivery is', async () => {
  const collects = await collector(says(200))
  const service = await composeForTest({ env: { ...TELLS_LOOPBACK, ...to(collects) }, fresh: true })
  const { api, seed } = service
  const where = { api, orgId: seed.org_id, projectId: seed.project_id }
  const endpoint = await receiverOf(where, [says(204)])
  expect((await uploaderOf(api).upload(await smallJpeg())).status).toBe(200)
  await expect.poll(() => endpoint.heard.length).toBeGreaterThan(0)
  await expect.poll(() => named(collects.spans(), 'webhook delivery')).toBeDefined()
  const span = named(collects.spans(), 'webhook delivery')!
  const told = endpoint.heard.map(({ headers }) => headers.traceparent)
  expect(told).toContain(`00-${span.traceId}-${span.spanId}-01`)
  expect(span.attributes).toMatchObject({ 'http.response.status_code': '204' })
  expect(named(collects.spans(), 'image process')).toBeDefined()
})

test('without a collector nobody listens, and nobody is told of a trace', async () => {
  const service = await composeForTest({ env: TELLS_LOOPBACK, fresh: true })
  const { api, seed } = service
  expect(spanChannel.hasSubscribers).toBe(false)
  const where = { api, orgId: seed.org_id, projectId: seed.project_id }
  const endpoint = await receiverOf(where, [says(204)])
  await uploaderOf(api).upload(await smallJpeg())
  await expect.poll(() => endpoint.heard.length).toBeGreaterThan(0)
  expect(endpoint.heard[0]!.headers).not.toHaveProperty('traceparent')
})

test.each([
  ['is silent', keepsSilent],
  ['hangs up', hangsUp],
  ['answers garbage without end', endless],
  ['refuses', says(400)],
])('a collector that %s costs no request anything; what it has not taken is counted', async (_, step) => {
  const collects = await collector(step)
  const few = { OTEL_EXPORTER_OTLP_TIMEOUT: '300', OTEL_BSP_MAX_QUEUE_SIZE: '100' }
  const env = { ...to(collects), ...few, MARQUEE_LIMIT_KEY_PER_MINUTE: '0' }
  const { api, url, service } = await composeForTest({ env, fresh: true })
  const dropped = async () =>
    Number(
      /^marquee_spans_dropped_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0,
    )
  // Until there are more than it keeps.
  while ((await dropped()) === 0) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.get('/images')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  await service.close()
})

test('what a collector says that it has left out of what it took is counted as dropped, and nothing sent again', async () => {
  const partial = { partialSuccess: { rejectedSpans: '1', errorMessage: 'one is too old' } }
  const collects = await collector(says(200, partial), says(200, { partialSuccess: {} }))
  const { api, url } = await composeForTest({
    env: { ...to(collects), OTEL_METRIC_EXPORT_INTERVAL: '86400000' },
    fresh: true,
  })
  const count = async (what: string) => {
    const figures = await (await fetch(`${url}/metrics`)).text()
    return Number(new RegExp(`^marquee_spans_${what}_total (\\d+)$`, 'm').exec(figures)![1])
  }
  await api.get('/images')
  await expect.poll(() => count('dropped')).toBe(1)
  const before = collects.heard.length
  await api.get('/images')
  await expect.poll(() => collects.heard.length).toBeGreaterThan(before)
  // Both go on, where spans of one request come in two batches.
  await expect.poll(async () => (await count('sent')) + 1 - collects.spans().length).toBe(0)
  expect(await count('dropped')).toBe(1)
  const ids = collects.spans().map(({ spanId }) => spanId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('what a collector could not take for a while it gets afterwards', async () => {
  const collects = await collector(says(503), hangsUp, says(429), says(200))
  const { api } = await composeForTest({
    env: { ...to(collects), OTEL_METRIC_EXPORT_INTERVAL: '86400000' },
    fresh: true,
  })
  await api.get('/images')
  await expect.poll(() => collects.heard.length).toBeGreaterThan(3)
  // Each time whole: what was sent in vain is sent again.
  const [first] = collects.heard
  expect(collects.heard[3]!.body).toContain(
    JSON.parse(first!.body).resourceSpans[0].scopeSpans[0].spans[0].spanId,
  )
})

function endless(response: import('node:http').ServerResponse): void {
  response.writeHead(500, { 'content-type': 'application/json' })
  void (async () => {
    while (!response.destroyed) {
      response.write('{"partialSuccess":'.repeat(100))
      await sleep(10)
    }
  })()
}

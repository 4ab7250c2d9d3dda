import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { authorOf, smallJpeg } from '../support/posts.ts'
import { serviceForTest } from '../support/service.ts'

const METRIC = 'marquee_http_request_duration_seconds_count'

/** The address of a post that everybody may read: plain reads of it are answered ahead of the app. */
async function withPublicPost(env: Record<string, string> = {}) {
  const service = await composeForTest({ env: { MARQUEE_ROLES: 'api', ...env } })
  const { body: feed } = await service.api.post('/feeds', { name: 'F' })
  const post = await authorOf(service.api, service.seed.project_id, feed.id).post(await smallJpeg())
  const path = `/posts/v1/feeds/${feed.id}/${post.id}`
  const anybody = service.api.as({})
  /** A query that means nothing keeps a request from being a plain one. */
  const byApp = (headers = {}) => anybody.get(`${path}?by=app`, headers)
  const ahead = (headers = {}) => anybody.get(path, headers)
  return { ...service, anybody, path, byApp, ahead }
}

const OF_ONE_REQUEST = ['date', 'x-request-id', 'ratelimit']

test.each<Record<string, string>>([
  {},
  { MARQUEE_CORS_ORIGINS: 'https://a.example, https://b.example' },
  { MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '0' },
])('who is answered ahead of the app sees no difference: %o', async (env) => {
  const { byApp, ahead } = await withPublicPost(env)
  const { etag } = Object.fromEntries((await ahead()).headers)
  for (const headers of [
    {},
    { origin: 'https://b.example' },
    { origin: 'https://elsewhere.example' },
    { 'if-none-match': etag! },
    { 'if-none-match': '"another"' },
    { 'if-match': etag! },
    { 'if-match': '"another"' },
  ]) {
    const [one, other] = [await byApp(headers), await ahead(headers)]
    expect(other.status).toBe(one.status)
    expect(other.body).toEqual(one.body)
    const kept = (all: Headers) => [...all].filter(([name]) => !OF_ONE_REQUEST.includes(name)).sort()
    expect(kept(other.headers)).toEqual(kept(one.headers))
  }
  expect((await ahead({ 'if-none-match': etag! })).status).toBe(304)
  expect((await ahead({ 'if-match': '"another"' })).body).toEqual({ code: 412, error: 'Precondition Failed' })
})

test('every request counts once, whoever answers it', async () => {
  const { anybody, path, byApp, ahead } = await withPublicPost({ MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '6' })
  const left = async (answer: ReturnType<typeof ahead>) =>
    /r=(\d+)/.exec((await answer).headers.get('ratelimit')!)?.[1]
  expect(await left(ahead())).toBe('5')
  expect(await left(byApp())).toBe('4')
  expect(await left(anybody.get(path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))))).toBe('3')
  expect(await left(anybody.get('/posts/v1/feeds/feed_1/post_1'))).toBe('2')
  expect(await left(ahead({ 'if-match': '"another"' }))).toBe('1')
  expect(await left(ahead())).toBe('0')
  const refused = await ahead()
  expect(refused.body).toMatchObject({ code: 429, error: 'Too Many Requests' })
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
})

test('those behind a trusted proxy are counted by their own addresses', async () => {
  const { ahead } = await withPublicPost({
    MARQUEE_TRUST_PROXY: '127.0.0.1',
    MARQUEE_LIMIT_PUBLIC_PER_MINUTE: '2',
  })
  const statusFrom = async (address: string) => (await ahead({ 'x-forwarded-for': address })).status
  for (const status of [200, 200, 429]) expect(await statusFrom('203.0.113.7')).toBe(status)
  expect(await statusFrom('203.0.113.8')).toBe(200)
})

test('what is answered ahead is measured and logged', async () => {
  const service = await serviceForTest({ env: { MARQUEE_ROLES: 'api', MARQUEE_LOG_LEVEL: 'info' } })
  const { body: feed } = await service.api.post('/feeds', { name: 'F' })
  const author = authorOf(service.api, service.quickstart.project_id, feed.id)
  const path = `/posts/v1/feeds/${feed.id}/${(await author.post(await smallJpeg())).id}`
  const answer = await service.api.as({}).get(path, { 'x-request-id': 'ahead-1' })
  expect(answer.headers.get('x-request-id')).toBe('ahead-1')
  const { body: metrics } = await service.api.as({}).get('/metrics')
  expect(metrics).toContain(`${METRIC}{method="GET",route="/posts/v1/feeds/:feedId/:postId",status="200"} 1`)
  await expect
    .poll(() =>
      service
        .output()
        .split('\n')
        .find((line) => line.includes('ahead-1')),
    )
    .toContain(`"method":"GET","path":"${path}","status":200`)
})

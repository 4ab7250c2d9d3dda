import { expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { composeForTest } from '../support/in-process.ts'
import { uploaderOf } from '../support/media.ts'

test('request ids come back: the client’s own where it is sensible, else a new one', async () => {
  const { api } = await composeForTest()
  const idFor = async (given?: string) =>
    (await api.get('/project', given ? { 'x-request-id': given } : {})).headers.get('x-request-id')
  expect(await idFor('my-request.1')).toBe('my-request.1')
  expect(await idFor()).toMatch(/^req_[0-9a-z]{26}$/)
  expect(await idFor('with spaces and "quotes"')).toMatch(/^req_/)
  expect(await idFor('x'.repeat(200))).toMatch(/^req_/)
  expect(await idFor()).not.toBe(await idFor())
})

test('answers and refusals carry the security headers', async () => {
  const { api } = await composeForTest()
  for (const path of ['/project', '/nowhere', '/healthz']) {
    const { headers } = await api.get(path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  }
  const secure = await composeForTest({ env: { MARQUEE_BASE_URL: 'https://media.example.com' } })
  expect((await secure.api.get('/project')).headers.get('strict-transport-security')).toContain('max-age')
})

test('a page elsewhere may call the API', async () => {
  const { url, seed } = await composeForTest()
  const preflight = await fetch(`${url}/project`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key')
  const answer = await fetch(`${url}/project`, {
    headers: { origin: 'https://app.example', 'x-api-key': seed.api_key },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
  expect(answer.headers.get('access-control-expose-headers')).toMatch(/\bDate\b/)
  const refused = await fetch(`${url}/project`, { headers: { origin: 'https://app.example' } })
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})

test('origins can be narrowed', async () => {
  const { url } = await composeForTest({
    env: { MARQUEE_CORS_ORIGINS: 'https://a.example, https://b.example' },
  })
  const allowed = async (origin: string) =>
    (await fetch(`${url}/healthz`, { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await allowed('https://b.example')).toBe('https://b.example')
  expect(await allowed('https://evil.example')).toBeNull()
})

test('where origins are narrowed, caches are told that answers depend on them', async () => {
  const { url, api } = await composeForTest({
    env: { MARQUEE_CORS_ORIGINS: 'https://a.example', MARQUEE_ROLES: 'api' },
  })
  const { file } = (await uploaderOf(api).upload(await scene(64, 40).jpeg().toBuffer())).body
  const image = await fetch(`${url}${new URL(file.url).pathname}`, {
    headers: { origin: 'https://a.example' },
  })
  expect(image.headers.get('access-control-allow-origin')).toBe('https://a.example')
  expect(image.headers.get('vary')).toBe('Origin, Accept')
})

import net from 'node:net'
import { expect, test, vi } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { serviceForTest } from '../support/service.ts'

/** Sends bytes as they are and answers what comes back until the connection closes. */
function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

const idOf = (answer: string) => /^x-request-id: (\S+)\r$/im.exec(answer)?.[1]

const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

test('whatever goes wrong, the body is an error object', async () => {
  const { url, api, seed } = await composeForTest({ env: { MARQUEE_BODY_LIMIT: '1KiB' } })
  const send = (path: string, init: RequestInit) =>
    fetch(url + path, { ...init, headers: { 'x-api-key': seed.api_key, ...init.headers } })
  const json = { 'content-type': 'application/json' }
  const keys = `/organizations/${seed.org_id}/api-keys/v1`
  const cases: [string, RequestInit, number, object][] = [
    ['/nowhere', {}, 404, { error: 'Not Found' }],
    ['/%zz', {}, 404, { error: 'Not Found' }],
    ['/docs/static/nope', {}, 404, { error: 'Not Found' }],
    [`/images/img_${'x'.repeat(300)}`, {}, 400, { error: 'Invalid image ID' }],
    ['/images?limit=Infinity', {}, 400, { error: 'Bad Request', details: 'query.limit: must be integer' }],
    ['/images?offset=-Infinity', {}, 400, { error: 'Bad Request', details: 'query.offset: must be integer' }],
    ['/project', { method: 'POST' }, 405, { error: 'Method Not Allowed' }],
    ['/project', { method: 'PURGE' }, 405, { error: 'Method Not Allowed' }],
    [
      keys,
      { method: 'POST', body: '{', headers: json },
      400,
      { error: 'Bad Request', details: 'body: not valid JSON' },
    ],
    [keys, { method: 'POST', body: '{"__proto__":{"a":1}}', headers: json }, 400, { error: 'Bad Request' }],
    [keys, { method: 'POST', headers: json }, 400, { error: 'Bad Request', details: 'body: must be object' }],
    [
      keys,
      { method: 'POST', body: 'name=x', headers: { 'content-type': 'text/plain' } },
      415,
      { error: 'Unsupported Media Type' },
    ],
    [
      keys,
      { method: 'POST', body: JSON.stringify({ name: 'x'.repeat(2000) }), headers: json },
      413,
      { error: 'Payload Too Large' },
    ],
    [
      keys,
      { method: 'POST', body: '{"project_id":"proj_x"}', headers: json },
      400,
      { error: 'Bad Request', details: 'body.name: is required' },
    ],
  ]
  for (const [path, init, status, body] of cases) {
    const response = await send(path, init)
    const label = `${init.method ?? 'GET'} ${path}`
    expect(response.status, label).toBe(status)
    expect(response.headers.get('content-type'), label).toBe('application/json; charset=utf-8')
    expect(await response.json(), label).toMatchObject({ code: status, ...body })
  }
  expect((await send('/project', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD')
  expect((await api.get('/project')).status).toBe(200)
})

test('what is no HTTP, and headers without end, are answered too', async () => {
  const { url } = await composeForTest()
  const nonsense = await raw(url, 'NONSENSE\r\n\r\n')
  expect(nonsense).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(nonsense)).toEqual({ code: 400, error: 'Bad Request' })
  const endless = await raw(url, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(bodyOf(endless)).toEqual({ code: 431, error: 'Request Header Fields Too Large' })
})

test('a request of HTTP/1.1 without a host is refused', async () => {
  const { url } = await composeForTest()
  expect(bodyOf(await raw(url, 'GET /healthz HTTP/1.1\r\n\r\n'))).toMatchObject({ code: 400 })
  expect(await raw(url, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
})

test('what never reaches the app has a request id, and the log has it too', async () => {
  const service = await serviceForTest({ env: { MARQUEE_REQUEST_TIMEOUT: '1' } })
  const answers = [
    await raw(service.url, 'NONSENSE\r\n\r\n'),
    await raw(service.url, `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
    await raw(service.url, 'GET /healthz?secret=1 HTTP/1.1\r\n\r\n'),
    await raw(service.url, 'GET /project HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n'),
    await raw(service.url, 'GET /project HTTP/1.1\r\nHost: x\r\n'),
  ]
  const ids = answers.map(idOf)
  expect(ids).toEqual(answers.map(() => expect.stringMatching(/^req_\w{26}$/)))
  expect(new Set(ids).size).toBe(ids.length)
  const own = await raw(service.url, 'GET /healthz HTTP/1.1\r\nX-Request-Id: mine-1\r\n\r\n')
  expect(idOf(own)).toBe('mine-1')

  const linesOf = (id: string) =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes(`"reqId":"${id}"`))
      .map((line) => JSON.parse(line))
  await vi.waitFor(() => expect([...ids, 'mine-1'].flatMap((id) => linesOf(id!))).toHaveLength(6), 10_000)
  expect(linesOf(ids[0]!)).toMatchObject([{ status: 400, reason: expect.stringMatching(/^HPE_/) }])
  expect(linesOf(ids[1]!)).toMatchObject([{ status: 431, reason: 'HPE_HEADER_OVERFLOW' }])
  expect(linesOf(ids[2]!)).toMatchObject([{ status: 400, method: 'GET', path: '/healthz' }])
  expect(linesOf(ids[3]!)).toMatchObject([{ status: 417, method: 'GET', path: '/project' }])
  expect(linesOf(ids[4]!)).toMatchObject([{ status: 408 }])
  expect(service.output()).not.toContain('secret=1')
})

test('an address that cannot be decoded is refused by its operation, in its words', async () => {
  const { api } = await composeForTest()
  for (const broken of ['%zz', '%', '%ff', 'vid_%']) {
    expect((await api.get(`/videos/${broken}`)).body).toMatchObject({ code: 400, error: 'Invalid video ID' })
    expect((await api.as({}).get(`/videos/${broken}`)).status).toBe(401)
  }
  const endless = await api.get(`/videos/${'x'.repeat(9000)}`)
  expect(endless.body).toEqual({ code: 414, error: 'URI Too Long' })
  expect(endless.headers.get('x-request-id')).toMatch(/^req_/)
  expect(endless.headers.get('cache-control')).toBe('no-store')
})

test('a slow client is let go with 408, in its headers and in its body', async () => {
  const service = await serviceForTest({ env: { MARQUEE_REQUEST_TIMEOUT: '1' } })
  const inHeaders = await raw(service.url, 'GET /project HTTP/1.1\r\nHost: x\r\n')
  expect(bodyOf(inHeaders)).toEqual({ code: 408, error: 'Request Timeout' })
  const inBody = await raw(
    service.url,
    'POST /auth/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  expect(bodyOf(inBody)).toEqual({ code: 408, error: 'Request Timeout' })
})

test('a refused client that goes on sending slowly is let go too', async () => {
  const service = await serviceForTest({ env: { MARQUEE_REQUEST_TIMEOUT: '1' } })
  // The answer comes at once; the connection ends although the announced body never does.
  const answer = await raw(
    service.url,
    'POST /images/upload/init HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
})

test('an expectation that is not met gets a body', async () => {
  const { url } = await composeForTest()
  const answer = await raw(url, 'GET /project HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\n\r\n')
  expect(bodyOf(answer)).toEqual({ code: 417, error: 'Expectation Failed' })
})

test('a failure inside says nothing of the inside', async () => {
  const { api, sql } = await composeForTest()
  await sql`alter table projects rename column storage_used to something_else`
  const { status, body } = await api.get('/project')
  expect(status).toBe(500)
  expect(body).toEqual({ code: 500, error: 'Internal server error' })
})

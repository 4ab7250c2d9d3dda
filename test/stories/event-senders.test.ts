import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { watches, watching } from '../support/watching.ts'
import { addMember, addRestrictedKey, addTenant } from '../support/world.ts'

const PATH = '/analytics/v1/events'
const API_ONLY = { env: { MARQUEE_ROLES: 'api' } }
const UNKNOWN = 'proj_00000000000000000000000000'
const events = [watching()]

const lacking = (permission: string) => ({ code: 403, error: 'Forbidden', details: `needs ${permission}` })

test('either kind of key sends, and only a secret one reads', async () => {
  const { api, seed } = await composeForTest(API_ONLY)
  const publishable = api.as(key(seed.publishable_key))
  for (const sender of [api, publishable]) expect((await sender.post(PATH, { events })).status).toBe(200)
  expect(await watches(api)).toBe(2)
  for (const path of ['/analytics/v1/top/videos', '/analytics/v1/realtime', '/analytics/v1/dashboard'])
    expect((await publishable.get(path)).body).toEqual(lacking('analytics:read'))
  const funnel = { steps: [{ name: 'x', event_type: 'error' }] }
  expect((await publishable.post('/analytics/v1/funnels', funnel)).status).toBe(403)
})

test('events are of a project of the sender’s organization, whichever it names', async () => {
  const service = await composeForTest(API_ONLY)
  const mine = await addTenant(service, 'mine')
  const theirs = await addTenant(service, 'theirs')
  const second = await mine.owner.post(`/organizations/${mine.orgId}/projects/v1`, { name: 'second' })
  const secret = service.api.as(key(mine.secretKey))
  const of = (project_id: string) => `?project_id=${project_id}`

  expect((await secret.post(PATH, { events, project_id: mine.projectId })).status).toBe(200)
  expect((await secret.post(PATH, { events, project_id: second.body.id })).status).toBe(200)
  expect((await secret.post(PATH, { events, project_id: second.body.id })).status).toBe(200)
  expect(await watches(mine.owner, of(mine.projectId))).toBe(1)
  expect(await watches(mine.owner, of(second.body.id))).toBe(2)
  expect(await watches(mine.owner)).toBe(3)
  expect(await watches(secret)).toBe(1)

  for (const sender of [secret, mine.owner, service.api.as(key(mine.publishableKey))])
    for (const project_id of [theirs.projectId, UNKNOWN])
      expect((await sender.post(PATH, { events, project_id })).body).toEqual({
        code: 403,
        error: 'Forbidden',
        details: 'project_id: not a project of your organization',
      })
  expect((await secret.post(PATH, { events, project_id: 'mine' })).body.details).toBe(
    'project_id: is malformed',
  )
  expect(await watches(theirs.owner)).toBe(0)

  // A user of several projects says which.
  const unsaid = await mine.owner.post(PATH, { events })
  expect(unsaid.body).toMatchObject({ code: 400, details: expect.stringContaining('several projects') })
  expect((await mine.owner.post(PATH, { events, project_id: mine.projectId })).status).toBe(200)
  expect((await mine.owner.post(PATH, { events }, { 'x-project-id': second.body.id })).status).toBe(200)
  expect((await theirs.owner.post(PATH, { events })).status).toBe(200)
  expect(await watches(mine.owner, of(mine.projectId))).toBe(2)
  expect(await watches(mine.owner, of(second.body.id))).toBe(3)
  expect(await watches(theirs.owner)).toBe(1)
})

test('who may not send is refused before the body is looked at', async () => {
  const service = await composeForTest(API_ONLY)
  const mine = await addTenant(service, 'mine')
  const reader = await addMember(service, mine, 'reader@mine.example', ['analytics:read'])
  const readingKey = await addRestrictedKey(mine, ['analytics:read'])
  for (const sender of [reader.api, service.api.as(key(readingKey.secret))])
    for (const body of [{ events }, { nonsense: 1 }])
      expect((await sender.post(PATH, body)).body).toEqual(lacking('events:write'))
  const writer = await addMember(service, mine, 'writer@mine.example', ['events:write'])
  expect((await writer.api.post(PATH, { events })).status).toBe(200)
  expect((await writer.api.get('/analytics/v1/top/videos')).status).toBe(403)
  expect(await watches(reader.api)).toBe(1)
})

test('a publishable key may be in the query, for events only', async () => {
  const { api, seed, tokenFor } = await composeForTest(API_ONLY)
  const anybody = api.as({})
  const withKey = (given: string) => `${PATH}?key=${encodeURIComponent(given)}`
  expect((await anybody.post(withKey(seed.publishable_key), { events })).status).toBe(200)
  expect((await anybody.post(withKey(seed.api_key), { events })).body).toEqual({
    code: 401,
    error: 'Unauthorized',
    details: 'key: only a publishable key may be in the query',
  })
  const wrong = seed.publishable_key.slice(0, -1) + (seed.publishable_key.endsWith('A') ? 'B' : 'A')
  for (const path of [withKey(wrong), withKey('mq_pk_'), `${withKey(seed.publishable_key)}&key=x`, PATH])
    expect((await anybody.post(path, { events })).status).toBe(401)
  expect((await anybody.get(`/feeds?key=${seed.publishable_key}`)).status).toBe(401)
  // What is in a header goes first, right or wrong.
  expect((await api.post(withKey('nonsense'), { events })).status).toBe(200)
  expect((await api.as(key('mq_pk_x')).post(withKey(seed.publishable_key), { events })).status).toBe(401)
  const token = await tokenFor(seed.owner_email)
  expect((await api.as(bearer(token)).post(withKey('nonsense'), { events })).status).toBe(200)
  expect(await watches(api)).toBe(3)
})

async function preflight(url: string, origin: string) {
  const { status, headers } = await fetch(url + PATH, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })
  return [
    status,
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
    headers.get('access-control-allow-headers'),
  ]
}

test('origins are answered by name, narrowed or not', async () => {
  const open = await composeForTest(API_ONLY)
  expect(await preflight(open.url, 'https://app.example')).toEqual([
    204,
    'https://app.example',
    'true',
    'content-type',
  ])
  const answer = await open.api.post(PATH, { events }, { origin: 'https://app.example' })
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  expect(answer.headers.get('vary')).toContain('Origin')
  const refused = await open.api.as({}).post(PATH, { events }, { origin: 'https://app.example' })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
    401,
    'https://app.example',
  ])
  const elsewhere = await open.api.get('/project', { origin: 'https://app.example' })
  expect(elsewhere.headers.get('access-control-allow-origin')).toBe('*')
  expect(elsewhere.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await open.api.get(PATH)).headers.get('allow')).toBe('POST')

  const narrow = await composeForTest({ env: { MARQUEE_CORS_ORIGINS: 'https://a.example' } })
  expect((await preflight(narrow.url, 'https://a.example'))[1]).toBe('https://a.example')
  expect((await preflight(narrow.url, 'https://b.example'))[1]).toBeNull()
})

/** An empty page on an origin of its own. */
async function emptyPage(): Promise<string> {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>app</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test.runIf(hasBrowser)('a page elsewhere sends events, also when it goes away', async () => {
  const { api, url, seed } = await composeForTest(API_ONLY)
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(await emptyPage())
  const given = { to: `${url}${PATH}?key=${seed.publishable_key}`, body: JSON.stringify({ events }) }

  const fetched = await page.evaluate(async ({ to, body }) => {
    const headers = { 'content-type': 'application/json' }
    const answers = [
      await fetch(to, { method: 'POST', body, headers }),
      await fetch(to, { method: 'POST', body, headers, credentials: 'include', keepalive: true }),
    ]
    return Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))
  }, given)
  expect(fetched).toEqual([
    [200, {}],
    [200, {}],
  ])
  expect(await watches(api)).toBe(2)

  // As text: it runs in the page, of whose names this program knows nothing.
  const beacon = (body: string) => page.evaluate(`navigator.sendBeacon(${JSON.stringify(given.to)}, ${body})`)
  const text = JSON.stringify(given.body)
  expect(await beacon(text)).toBe(true)
  await expect.poll(() => watches(api), { timeout: 30_000 }).toBe(3)
  expect(await beacon(`new Blob([${text}], { type: 'application/json' })`)).toBe(true)
  await expect.poll(() => watches(api), { timeout: 30_000 }).toBe(4)

  await page.evaluate(
    `addEventListener('pagehide', () => navigator.sendBeacon(${JSON.stringify(given.to)}, ${text}))`,
  )
  await page.goto('about:blank')
  await expect.poll(() => watches(api), { timeout: 30_000 }).toBe(5)
})

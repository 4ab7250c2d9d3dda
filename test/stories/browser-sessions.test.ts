import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { browserAt } from '../support/page-browser.ts'
import { addTenant } from '../support/world.ts'

const OWNER = { email: 'owner@acme.example', password: 'a long enough one' }

test('a browser signs in, is renewed by its cookie alone, and signs out', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const browser = browserAt(service)
  const { status, body, set } = await browser.signIn(OWNER)
  expect(status).toBe(200)
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 900 })
  expect(set).toMatch(
    /^marquee_session=[^;]+; Path=\/auth\/v1\/browser; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  )
  const anybody = service.api.as({})
  const me = (token: string) => anybody.as(bearer(token)).get('/auth/v1/users/current')
  expect((await me(body.access_token)).status).toBe(200)

  // Two pages at once are both renewed: they share the cookie.
  const renewed = await Promise.all([browser.renew(), browser.renew()])
  for (const one of renewed) expect((await me(one.body.access_token)).status).toBe(200)

  expect((await browser.signOut()).status).toBe(204)
  expect(browser.cookie()).toBeUndefined()
  expect((await me(renewed[0]!.body.access_token)).status).toBe(401)
  expect((await browser.renew()).body).toMatchObject({ code: 401, details: 'signed out; sign in again' })
  expect((await browser.signIn({ ...OWNER, password: 'another long one' })).status).toBe(401)
})

test('the cookie is of no use to other origins, nor as any other credential', async () => {
  const service = await composeForTest({ env: { MARQUEE_CORS_ORIGINS: '*' } })
  await addTenant(service, 'acme')
  const browser = browserAt(service)
  await browser.signIn(OWNER)
  const cookie = browser.cookie()!
  const neighbour = new URL(service.url)
  neighbour.port = '1'
  for (const [page, site] of [
    [neighbour.href, 'same-site'],
    ['https://elsewhere.example', 'cross-site'],
    [service.url, 'cross-site'],
    [neighbour.href, 'same-origin'],
  ] as const) {
    const other = browserAt(service, page, site)
    other.take(cookie)
    for (const answer of [await other.signIn(OWNER), await other.renew(), await other.signOut()]) {
      expect(answer.status).toBe(403)
      expect(answer.set).toBeNull()
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  }
  const preflight = await fetch(`${service.url}/auth/v1/browser/session/renew`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  // It still stands after all that.
  expect((await browser.renew()).status).toBe(200)

  const token = browser.cookie()!
  const anybody = service.api.as({})
  expect((await anybody.get('/project', { cookie: `marquee_session=${token}` })).status).toBe(401)
  expect((await anybody.as(bearer(token)).get('/auth/v1/users/current')).status).toBe(401)
  expect((await anybody.post('/auth/v1/token', { refresh_token: token })).status).toBe(401)
  const { refresh_token } = (await anybody.post('/auth/v1/login', OWNER)).body
  browser.take(refresh_token)
  expect((await browser.renew()).status).toBe(401)
})

test('people see where they are signed in, and sign out there', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const [here, there] = [browserAt(service), browserAt(service)]
  const { access_token } = (await here.signIn(OWNER)).body
  await there.signIn(OWNER)
  const me = service.api.as(bearer(access_token))
  const { sessions } = (await me.get('/auth/v1/sessions')).body
  const current = sessions.find((session) => session.current)!
  expect(sessions).toContainEqual({
    id: expect.stringMatching(/^sess_/),
    user_agent: 'A browser',
    created_at: expect.any(String),
    last_used_at: expect.any(String),
    current: true,
  })
  const elsewhere = sessions.find(({ id, user_agent }) => id !== current.id && user_agent === 'A browser')!
  // Not by somebody else.
  const stranger = service.api.as(bearer(await service.tokenFor('owner@other.example')))
  expect(other.orgId).toBeDefined()
  expect((await stranger.delete(`/auth/v1/sessions/${elsewhere.id}`)).status).toBe(404)
  expect((await me.delete(`/auth/v1/sessions/${elsewhere.id}`)).status).toBe(204)
  expect((await there.renew()).status).toBe(401)
  expect((await here.renew()).status).toBe(200)

  await there.signIn(OWNER)
  expect((await me.delete('/auth/v1/sessions')).status).toBe(204)
  for (const browser of [here, there]) expect((await browser.renew()).status).toBe(401)
  expect((await me.get('/auth/v1/users/current')).status).toBe(401)
})

test('a new password takes the old one, and ends every other sign-in', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const [here, there] = [browserAt(service), browserAt(service)]
  const { access_token } = (await here.signIn(OWNER)).body
  await there.signIn(OWNER)
  const me = service.api.as(bearer(access_token))
  const change = (current_password: string, new_password: string) =>
    me.put('/auth/v1/users/current/password', { current_password, new_password })
  expect((await change('not the old one', 'a new and long one')).body).toMatchObject({
    code: 400,
    details: 'current_password: wrong',
  })
  expect((await change(OWNER.password, 'short')).status).toBe(400)
  expect((await change(OWNER.password, 'a new and long one')).status).toBe(204)
  expect((await there.renew()).status).toBe(401)
  expect((await here.renew()).status).toBe(200)
  expect((await there.signIn(OWNER)).status).toBe(401)
  expect((await there.signIn({ ...OWNER, password: 'a new and long one' })).status).toBe(200)
})

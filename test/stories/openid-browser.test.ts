import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { CLIENT, startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts'
import { browserAt } from '../support/page-browser.ts'
import { addTenant } from '../support/world.ts'

const BEGIN = '/auth/v1/browser/openid/default'
/** How a browser comes here that another site leads back. */
const LED = {
  origin: 'null',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

let openId: TestProvider
beforeAll(async () => {
  openId = await startOpenIdProvider({ alg: 'RS256' })
})
afterAll(() => openId.close())

/** `fresh`: has not asked the issuer for its description before. */
async function world({ fresh = false } = {}) {
  const service = await composeForTest({
    fresh,
    env: {
      MARQUEE_OIDC_ISSUER: openId.issuer,
      MARQUEE_OIDC_CLIENT_ID: CLIENT.id,
      MARQUEE_OIDC_CLIENT_SECRET: CLIENT.secret,
      MARQUEE_OIDC_NAME: 'Our directory',
      MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0',
    },
  })
  const acme = await addTenant(service, 'acme')
  const person = { sub: 'abc', email: 'Owner@acme.example', email_verified: true }
  Object.assign(openId, { person, twist: {}, describes: {}, up: true, exchanges: [] })
  return { service, acme }
}

/** Begins, goes through the issuer, and answers where that leads back to. */
async function throughIssuer(browser: ReturnType<typeof browserAt>): Promise<string> {
  const begun = await browser.send('GET', BEGIN)
  expect(begun.status).toBe(302)
  const { headers } = await fetch(begun.location!, { redirect: 'manual' })
  return headers.get('location')!
}

const comeBack = (browser: ReturnType<typeof browserAt>, back: string) => {
  const { pathname, search } = new URL(back, 'http://localhost')
  return browser.send('GET', pathname + search, undefined, LED)
}

async function whoIs(service: InProcess, browser: ReturnType<typeof browserAt>) {
  const { access_token } = (await browser.renew()).body
  return (await service.api.as(bearer(access_token)).get('/auth/v1/users/current')).body
}

test('a browser signs in at an issuer and has a session of its own', async () => {
  const { service } = await world()
  const browser = browserAt(service)
  const options = await browser.send('GET', '/auth/v1/browser/options')
  expect(options.body).toMatchObject({ openid: [{ id: 'default', name: 'Our directory' }] })

  const begun = await browser.send('GET', BEGIN)
  expect(begun.set).toMatch(
    /^marquee_openid=[\w-]{43}; Path=\/auth\/v1\/browser\/openid; HttpOnly; SameSite=Lax; Max-Age=600$/,
  )
  const asked = new URL(begun.location!)
  expect(`${asked.origin}${asked.pathname}`).toBe(`${openId.issuer}/authorize`)
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    tenant: 'one',
    redirect_uri: expect.stringMatching(
      /^http:\/\/localhost:\d+\/auth\/v1\/browser\/openid\/default\/callback$/,
    ),
    scope: 'openid email',
    code_challenge_method: 'S256',
  })

  const back = await throughIssuer(browser)
  const finished = await comeBack(browser, back)
  expect(finished.location).toMatch(/^http:\/\/localhost:\d+\/console$/)
  expect(finished.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^marquee_openid=;.*Max-Age=0$/),
    expect.stringMatching(/^marquee_session=[^;]+; Path=\/auth\/v1\/browser; HttpOnly; SameSite=Strict/),
  ])
  expect(await whoIs(service, browser)).toMatchObject({ email: 'owner@acme.example' })

  // From then on the subject counts, whatever the address becomes.
  openId.person = { sub: 'abc', email: 'renamed@acme.example' }
  const again = browserAt(service)
  await comeBack(again, await throughIssuer(again))
  expect(await whoIs(service, again)).toMatchObject({ email: 'owner@acme.example' })
})

test('an invitation is taken up by it, and who is nobody here is told so', async () => {
  const { service, acme } = await world()
  openId.person = { sub: 'new', email: 'new@acme.example', email_verified: true }
  const browser = browserAt(service)
  const nobody = await comeBack(browser, await throughIssuer(browser))
  expect(nobody.location).toMatch(/\/console\/sign-in#error=openid_unknown$/)
  expect(browser.cookie()).toBeUndefined()
  await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, { email: 'new@acme.example' })
  openId.person = { ...openId.person, email_verified: false }
  expect((await comeBack(browser, await throughIssuer(browser))).location).toContain('openid_unknown')
  openId.person = { ...openId.person, email_verified: true }
  await comeBack(browser, await throughIssuer(browser))
  expect((await whoIs(service, browser)).organizations).toMatchObject([{ id: acme.orgId, role: 'member' }])
})

/** Nobody is signed in, and the page for signing in is told why. */
async function refused(
  service: InProcess,
  browser: ReturnType<typeof browserAt>,
  back: string,
  why: string,
  label: string,
) {
  const { status, location } = await comeBack(browser, back)
  expect({ status, location }, label).toEqual({
    status: 302,
    location: expect.stringMatching(
      new RegExp(`^http://localhost:\\d+/console/sign-in#error=openid_${why}$`),
    ),
  })
  expect(browser.cookie(), label).toBeUndefined()
  expect(await service.sql`select from sessions where user_agent <> ''`, label).toHaveLength(0)
}

test('a token that was not made for this sign-in gets nobody in', async () => {
  const { service } = await world()
  const browser = browserAt(service)
  const twists: Record<string, TestProvider['twist']> = {
    'another issuer': { issuer: 'http://127.0.0.1:1' },
    'our own name as issuer': { issuer: 'marquee' },
    'another audience': { audience: 'somebody else' },
    'several audiences, made for another': { audience: [CLIENT.id, 'x'], claims: { azp: 'x' } },
    'several audiences, made for nobody': { audience: [CLIENT.id, 'x'] },
    'another nonce': { claims: { nonce: 'x' } },
    'no nonce': { claims: { nonce: undefined } },
    'an expired one': { expires: '-1m' },
    'no subject': { claims: { sub: undefined } },
    'a key of somebody else': { forged: true },
  }
  for (const [label, twist] of Object.entries(twists)) {
    openId.twist = twist
    await refused(service, browser, await throughIssuer(browser), 'refused', label)
  }
  expect(openId.exchanges).toEqual(Object.keys(twists).map(() => 200))
})

test('an answer is taken once, from the browser that asked, and as it was given', async () => {
  const { service } = await world()
  const [mine, mallory] = [browserAt(service), browserAt(service)]
  const change = (back: string, name: string, value: string | undefined) => {
    const url = new URL(back)
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
    return url.href
  }
  // Somebody else is led here with a code of the attacker's: they would work in the attacker's account.
  const planted = await throughIssuer(mallory)
  await refused(service, browserAt(service), planted, 'expired', 'without a cookie')
  const own = await throughIssuer(mine)
  await refused(service, mine, planted, 'expired', 'with the cookie of another sign-in')
  // The cookie is gone with the first answer, whatever it was.
  await refused(service, mine, own, 'expired', 'after that')

  const changes: [string, string | undefined, string][] = [
    ['state', 'x', 'expired'],
    ['state', undefined, 'expired'],
    ['code', 'x', 'refused'],
    ['code', undefined, 'refused'],
    ['iss', 'https://elsewhere.example', 'refused'],
  ]
  for (const [name, value, why] of changes) {
    const back = await throughIssuer(mine)
    await refused(service, mine, change(back, name, value), why, `${name} ${value}`)
  }
  const elsewhere = (await throughIssuer(mine)).replace('/default/', '/other/')
  await refused(service, mine, elsewhere, 'refused', 'another issuer of ours')
  const late = await throughIssuer(mine)
  await service.sql`update openid_flows set expires_at = now()`
  await refused(service, mine, late, 'expired', 'too late')

  const back = await throughIssuer(mine)
  const cookie = mine.cookie('marquee_openid')!
  const exchanged = openId.exchanges.length
  expect((await comeBack(mine, back)).location).toMatch(/\/console$/)
  const thief = browserAt(service)
  thief.take(cookie, 'marquee_openid')
  expect((await comeBack(thief, back)).location).toContain('openid_expired')
  expect(thief.cookie()).toBeUndefined()
  // The issuer was not even asked again.
  expect(openId.exchanges).toHaveLength(exchanged + 1)
})

test('only pages of the service begin it, and only a whole page ends it', async () => {
  const { service } = await world()
  const other = browserAt(service, 'https://elsewhere.example', 'cross-site')
  expect((await other.send('GET', BEGIN)).status).toBe(403)
  const browser = browserAt(service)
  const { pathname, search } = new URL(await throughIssuer(browser))
  for (const how of [
    { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ]) {
    const answer = await browser.send('GET', pathname + search, undefined, { ...LED, ...how })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect((await comeBack(browser, pathname + search)).location).toMatch(/\/console$/)
})

test('an issuer that is away, or describes another, signs nobody in', async () => {
  const { service } = await world({ fresh: true })
  const begin = async () => (await browserAt(service).send('GET', BEGIN)).location
  openId.up = false
  expect(await begin()).toMatch(/\/console\/sign-in#error=openid_unavailable$/)
  openId.up = true
  for (const describes of [
    { issuer: 'https://elsewhere.example' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { token_endpoint: undefined },
  ]) {
    openId.describes = describes
    expect(await begin(), JSON.stringify(describes)).toContain('openid_unavailable')
  }
  openId.describes = {}
  const browser = browserAt(service)
  const back = await throughIssuer(browser)
  openId.up = false
  expect((await comeBack(browser, back)).location).toContain('openid_unavailable')
  expect((await browserAt(service).send('GET', '/auth/v1/browser/openid/other')).location).toContain(
    'openid_refused',
  )
})

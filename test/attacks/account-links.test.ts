import { expect, test } from 'vitest'
import { makeResetLink, makeSignInLink } from '../../server/access/links/operator-links.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { browserAt, SESSION, tokenOf } from '../support/page-browser.ts'
import { addTenant } from '../support/world.ts'

const EMAIL = 'owner@acme.example'
const PASSWORD = 'a new and long one'
/** So that what is refused is refused for what it is. */
const UNCOUNTED = { MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0' }

function linksOf({ sql, url: baseUrl }: InProcess) {
  const asked = { email: EMAIL, orgId: undefined }
  return {
    signIn: async () => tokenOf((await makeSignInLink(OPERATOR, asked, { sql, baseUrl })).link),
    reset: async () => tokenOf((await makeResetLink(OPERATOR, asked, { sql, baseUrl })).link),
  }
}

function usesOf(service: InProcess) {
  const browser = browserAt(service)
  return {
    signIn: (link: string) => browser.send('POST', `${SESSION}/link`, { link }),
    reset: (token: string) =>
      browser.send('POST', '/auth/v1/password-reset/complete', { token, password: PASSWORD }),
  }
}

test('of many who use a link at once, one gets in', async () => {
  const service = await composeForTest({ env: UNCOUNTED })
  await addTenant(service, 'acme')
  const links = linksOf(service)
  const uses = usesOf(service)
  for (const kind of ['signIn', 'reset'] as const) {
    const token = await links[kind]()
    const answers = await Promise.all(Array.from({ length: 6 }, () => uses[kind](token)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses, kind).toEqual([kind === 'signIn' ? 200 : 204, 401, 401, 401, 401, 401])
  }
})

test('what is wrong with a link is told in the same words for all that can be', async () => {
  const service = await composeForTest({ env: UNCOUNTED })
  const { owner, orgId } = await addTenant(service, 'acme')
  const links = linksOf(service)
  const uses = usesOf(service)
  const invited = await owner.post(`/auth/v1/memberships/${orgId}/invite`, { email: 'new@acme.example' })

  for (const kind of ['signIn', 'reset'] as const) {
    const used = await links[kind]()
    expect((await uses[kind](used)).status).toBeLessThan(300)
    const expired = await links[kind]()
    await service.sql`update account_links set expires_at = now()`
    const hashes = await service.sql<
      { hash: string }[]
    >`select encode(hash, 'base64') as hash from account_links`
    const ofAnotherKind = await links[kind === 'signIn' ? 'reset' : 'signIn']()
    const wrong: Record<string, string> = {
      used,
      expired,
      'of another kind': ofAnotherKind,
      'of an invitation': invited.body.token,
      'its hash': hashes[0]!.hash,
      empty: '',
      'no text of ours': '\u0000 ü',
    }
    for (const [what, token] of Object.entries(wrong)) {
      const { status, body } = await uses[kind](token)
      expect({ status, body }, `${kind} ${what}`).toEqual({
        status: 401,
        body: { code: 401, error: 'Unauthorized', details: 'the link is unknown, used or expired' },
      })
    }
    // It was refused for what it is not, and is still good for what it is.
    const other = kind === 'signIn' ? 'reset' : 'signIn'
    expect((await uses[other](ofAnotherKind)).status).toBeLessThan(300)
  }
  const accept = { token: await links.signIn(), password: PASSWORD }
  expect((await service.api.as({}).post('/auth/v1/invitations/accept', accept)).status).toBe(401)
})

test('pages of others cannot use a link, nor use it up', async () => {
  const service = await composeForTest({ env: UNCOUNTED })
  await addTenant(service, 'acme')
  const link = await linksOf(service).signIn()
  for (const [page, site] of [
    ['https://elsewhere.example', 'cross-site'],
    [service.url, 'cross-site'],
    ['http://127.0.0.1:1', 'same-site'],
  ] as const) {
    const other = browserAt(service, page, site)
    const answer = await other.send('POST', `${SESSION}/link`, { link })
    expect(answer.status).toBe(403)
    expect(answer.set).toBeNull()
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect((await other.send('GET', '/auth/v1/browser/options')).status).toBe(403)
  }
  expect((await usesOf(service).signIn(link)).status).toBe(200)
})

test('an invitation’s token is no link, works once, and not from pages of others', async () => {
  const service = await composeForTest({ env: UNCOUNTED })
  const { owner, orgId } = await addTenant(service, 'acme')
  const invite = (email: string) => owner.post(`/auth/v1/memberships/${orgId}/invite`, { email })
  const { token } = (await invite('new@acme.example')).body
  const body = { token, password: PASSWORD }
  const other = browserAt(service, 'https://elsewhere.example', 'cross-site')
  for (const path of [`${SESSION}/invitation`, '/auth/v1/browser/invitation'])
    expect((await other.send('POST', path, body)).status).toBe(403)

  const browsers = Array.from({ length: 4 }, () => browserAt(service))
  const answers = await Promise.all(browsers.map(({ send }) => send('POST', `${SESSION}/invitation`, body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  const [browser] = browsers
  const links = linksOf(service)
  const late = (await invite('late@acme.example')).body.token
  await service.sql`update invitations set expires_at = now()`
  for (const wrong of [token, late, await links.signIn(), await links.reset(), 'inv_x.y'])
    for (const path of [`${SESSION}/invitation`, '/auth/v1/browser/invitation'])
      expect((await browser!.send('POST', path, { token: wrong, password: PASSWORD })).status, wrong).toBe(
        401,
      )
})

test('trying links is counted like signing in', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '2' }, fresh: true })
  const uses = usesOf(service)
  expect((await uses.signIn('x')).status).toBe(401)
  expect((await uses.reset('x')).status).toBe(401)
  for (const kind of ['signIn', 'reset'] as const) expect((await uses[kind]('x')).status).toBe(429)
})

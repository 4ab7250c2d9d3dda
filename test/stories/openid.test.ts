import { generateKeyPair, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { addTenant } from '../support/world.ts'

const AUDIENCE = 'marquee client'

async function world() {
  const openId = await startOpenIdProvider()
  onTestFinished(openId.close)
  const service = await composeForTest({
    env: { MARQUEE_OIDC_ISSUER: openId.issuer, MARQUEE_OIDC_AUDIENCE: AUDIENCE },
  })
  const acme = await addTenant(service, 'acme')
  const current = (token: string) => service.api.as(bearer(token)).get('/auth/v1/users/current')
  return { openId, service, acme, current }
}

test('a known, verified address signs in through the issuer and keeps its identity', async () => {
  const { openId, current } = await world()
  const first = await current(
    await openId.sign({ sub: 'abc', email: 'Owner@acme.example', email_verified: true }),
  )
  expect(first.body).toMatchObject({ email: 'owner@acme.example' })
  // From then on the subject counts, whatever the address becomes.
  const later = await current(await openId.sign({ sub: 'abc', email: 'renamed@acme.example' }))
  expect(later.body.id).toBe(first.body.id)
  // Some issuers have a slash at the end of their name, which settings do not.
  const slashed = await openId.sign({ sub: 'abc' }, { issuer: `${openId.issuer}/` })
  expect((await current(slashed)).body.id).toBe(first.body.id)
})

test('an unverified or unknown address gets nowhere', async () => {
  const { openId, current } = await world()
  expect((await current(await openId.sign({ sub: 'x', email: 'owner@acme.example' }))).status).toBe(403)
  expect(
    (await current(await openId.sign({ sub: 'x', email: 'owner@acme.example', email_verified: false })))
      .status,
  ).toBe(403)
  expect(
    (await current(await openId.sign({ sub: 'x', email: 'no@where.example', email_verified: true }))).status,
  ).toBe(403)
  expect((await current(await openId.sign({ sub: 'x' }))).status).toBe(403)
})

test('an invitation is taken up by signing in', async () => {
  const { openId, service, acme, current } = await world()
  await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, { email: 'new@acme.example' })
  const me = await current(await openId.sign({ sub: 'new', email: 'new@acme.example', email_verified: true }))
  expect(me.body.organizations).toMatchObject([{ id: acme.orgId, role: 'member' }])
  expect(await service.sql`select from invitations`).toHaveLength(0)
})

test('wrong issuer, audience, key, algorithm or time is 401', async () => {
  const { openId, current } = await world()
  const claims = { sub: 'abc', email: 'owner@acme.example', email_verified: true }
  const stranger = await generateKeyPair('ES256')
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(openId.issuer)
    .setAudience(AUDIENCE)
    .setExpirationTime('5m')
    .sign(stranger.privateKey)
  // The classic confusion: the public key, taken as the secret of a symmetric algorithm.
  const confused = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .setIssuer(openId.issuer)
    .setAudience(AUDIENCE)
    .setExpirationTime('5m')
    .sign(Buffer.from(JSON.stringify(openId.jwk)))
  const tokens = [
    await openId.sign(claims, { issuer: 'http://127.0.0.1:1' }),
    await openId.sign(claims, { issuer: 'marquee' }),
    await openId.sign(claims, { audience: 'somebody else' }),
    await openId.sign(claims, { expires: '-1m' }),
    forged,
    confused,
  ]
  for (const token of tokens) expect((await current(token)).status).toBe(401)
})

test('an issuer that does not answer is a 503, not a 401', async () => {
  const { openId, current } = await world()
  openId.up = false
  expect((await current(await openId.sign({ sub: 'abc' }))).body).toMatchObject({
    code: 503,
    error: 'Service Unavailable',
  })
})

test('an account made by whoever invited an address does not lie in wait for its owner', async () => {
  const { openId, service, acme, current } = await world()
  const invite = (tenant: typeof acme, role: string) =>
    tenant.owner.post(`/auth/v1/memberships/${tenant.orgId}/invite`, { email: 'bob@corp.example', role })
  const login = { email: 'bob@corp.example', password: 'chosen by another' }
  const planted = (await invite(acme, 'member')).body.token
  const before = await service.api
    .as({})
    .post('/auth/v1/invitations/accept', { token: planted, password: login.password })
  expect(before.status).toBe(200)

  const other = await addTenant(service, 'other')
  await invite(other, 'owner')
  const bob = await current(
    await openId.sign({ sub: 'bob', email: 'bob@corp.example', email_verified: true }),
  )
  expect(bob.body.organizations).toHaveLength(2)
  expect((await current(before.body.access_token)).status).toBe(401)
  expect((await service.api.as({}).post('/auth/v1/login', login)).status).toBe(401)
})

test('several first requests at once are all the same user', async () => {
  const { openId, acme, current } = await world()
  await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, { email: 'new@acme.example' })
  const token = await openId.sign({ sub: 'new', email: 'new@acme.example', email_verified: true })
  const answers = await Promise.all(Array.from({ length: 6 }, () => current(token)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(200)
})

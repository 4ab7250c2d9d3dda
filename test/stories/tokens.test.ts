import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

const PASSWORD = 'a long enough one'

test('signing in, refreshing, signing out', async () => {
  const service = await composeForTest()
  const { orgId } = await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const signIn = await anybody.post('/auth/v1/login', { email: 'Owner@Acme.example', password: PASSWORD })
  expect(signIn.body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 900,
  })
  const me = await anybody.as(bearer(signIn.body.access_token)).get('/auth/v1/users/current')
  expect(me.body).toEqual({
    id: expect.stringMatching(/^user_/),
    email: 'owner@acme.example',
    created_at: expect.any(String),
    updated_at: expect.any(String),
    organizations: [{ id: orgId, name: 'acme', role: 'owner', permissions: ['*:*'] }],
  })
  const refreshed = await anybody.post('/auth/v1/token', { refresh_token: signIn.body.refresh_token })
  expect(refreshed.status).toBe(200)
  expect((await anybody.as(bearer(refreshed.body.access_token)).post('/auth/v1/logout')).status).toBe(204)
  for (const token of [signIn.body.access_token, refreshed.body.access_token])
    expect((await anybody.as(bearer(token)).get('/auth/v1/users/current')).status).toBe(401)
  expect((await anybody.post('/auth/v1/token', { refresh_token: refreshed.body.refresh_token })).status).toBe(
    401,
  )
})

test('a refresh token used twice ends the sign-in for whoever holds it', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const refresh = (refresh_token: string) => anybody.post('/auth/v1/token', { refresh_token })
  const first = (await anybody.post('/auth/v1/login', { email: 'owner@acme.example', password: PASSWORD }))
    .body
  const second = (await refresh(first.refresh_token)).body
  const third = (await refresh(second.refresh_token)).body
  expect((await refresh(first.refresh_token)).body).toMatchObject({ code: 401, error: 'Unauthorized' })
  expect((await refresh(third.refresh_token)).status).toBe(401)
  expect((await anybody.as(bearer(third.access_token)).get('/auth/v1/users/current')).status).toBe(401)
})

test('of many refreshes at once with one token, one wins', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const { body } = await anybody.post('/auth/v1/login', { email: 'owner@acme.example', password: PASSWORD })
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => anybody.post('/auth/v1/token', { refresh_token: body.refresh_token })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('access tokens are short, refresh tokens end too', async () => {
  const service = await composeForTest({ env: { MARQUEE_ACCESS_TOKEN_LIFETIME: '10' } })
  await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const { body } = await anybody.post('/auth/v1/login', { email: 'owner@acme.example', password: PASSWORD })
  const claims = JSON.parse(Buffer.from(body.access_token.split('.')[1]!, 'base64url').toString())
  expect(claims.exp - claims.iat).toBe(10)
  await service.sql`update sessions set expires_at = now() - interval '1 second'`
  expect((await anybody.post('/auth/v1/token', { refresh_token: body.refresh_token })).status).toBe(401)
})

test('an access token ends when its time is up', async () => {
  const service = await composeForTest()
  const { ownerToken } = await addTenant(service, 'acme')
  const claims = JSON.parse(Buffer.from(ownerToken.split('.')[1]!, 'base64url').toString())
  const brief = await service.service.issuer.signAccess({ subject: claims.sub, sessionId: claims.sid }, 5)
  const me = service.api.as(bearer(brief))
  expect((await me.get('/auth/v1/users/current')).status).toBe(200)
  await sleep(6100)
  expect((await me.get('/auth/v1/users/current')).status).toBe(401)
})

test('wrong passwords and unknown addresses are told apart by nobody, and are counted', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const login = (email: string, password: string) =>
    service.api.as({}).post('/auth/v1/login', { email, password })
  const wrong = await login('owner@acme.example', 'not the right one')
  expect(wrong.body).toEqual({ code: 401, error: 'Unauthorized', details: 'wrong email or password' })
  expect((await login('stranger@acme.example', PASSWORD)).body).toEqual(wrong.body)
  for (let i = 0; i < 9; i++) await login('owner@acme.example', `guess ${i}`)
  const refused = await login('owner@acme.example', PASSWORD)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a secret key becomes a bearer of its project and ends with the key', async () => {
  const service = await composeForTest()
  const { orgId, projectId, owner, secretKey, secretKeyId, publishableKey } = await addTenant(service, 'acme')
  const exchange = (api_key: string) => service.api.as({}).post('/platform/auth/v1/token', { api_key })
  expect((await exchange(publishableKey)).status).toBe(403)
  expect((await exchange('mq_sk_nonsense')).status).toBe(401)
  const { body } = await exchange(secretKey)
  const holder = owner.as(bearer(body.access_token))
  expect((await holder.get('/project')).body.id).toBe(projectId)
  expect((await holder.get(`/auth/v1/memberships/${orgId}/members`)).status).toBe(403)
  expect((await holder.get('/auth/v1/users/current')).status).toBe(403)
  await owner.post(`/organizations/${orgId}/api-keys/v1/${secretKeyId}/rotate`)
  expect((await holder.get('/project')).status).toBe(401)
  expect((await owner.as(key(secretKey)).get('/project')).status).toBe(401)
})

test('passwords are stored as argon2id', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const rows = await service.sql`select password_hash from users`
  for (const { password_hash } of rows)
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
})

test('a token that was got for a secret ends with it, however it was refreshed', async () => {
  const service = await composeForTest()
  const { orgId, owner, secretKey, secretKeyId } = await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const exchange = async () => (await anybody.post('/platform/auth/v1/token', { api_key: secretKey })).body
  const works = async (token: string) => (await anybody.as(bearer(token)).get('/project')).status === 200
  const before = await exchange()
  await owner.post(`/organizations/${orgId}/api-keys/v1/${secretKeyId}/rotate`, { grace_seconds: 3600 })
  const during = await exchange()
  const refreshed = (await anybody.post('/auth/v1/token', { refresh_token: before.refresh_token })).body
  expect([await works(refreshed.access_token), await works(during.access_token)]).toEqual([true, true])
  await service.sql`update api_key_secrets set expires_at = now() where expires_at is not null`
  expect([await works(refreshed.access_token), await works(during.access_token)]).toEqual([false, false])
  expect((await anybody.post('/auth/v1/token', { refresh_token: refreshed.refresh_token })).status).toBe(401)
})

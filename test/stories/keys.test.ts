import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addRestrictedKey, addTenant } from '../support/world.ts'

test('a key is made, listed without its secret, used, and revoked at once', async () => {
  const service = await composeForTest()
  const { orgId, projectId, owner } = await addTenant(service, 'acme')
  const path = `/organizations/${orgId}/api-keys/v1`
  const made = await owner.post(path, { name: 'server', project_id: projectId })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    api_key: {
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      org_id: orgId,
      project_id: projectId,
      project_name: 'acme project',
      name: 'server',
      kind: 'sk',
      created_at: expect.any(String),
      secret: expect.stringMatching(/^mq_sk_[0-9a-z]{26}_[\w-]{43}$/),
    },
  })
  const { secret, ...shown } = made.body.api_key
  expect((await owner.as(key(secret)).get('/project')).body.id).toBe(projectId)
  const list = await owner.get(path)
  expect(list.body.total).toBe(3)
  expect(list.body.api_keys[0]).toEqual(shown)
  expect(JSON.stringify(list.body)).not.toContain('secret')

  const stored = await service.sql`select hash from api_key_secrets where key_id = ${shown.id}`
  const random = secret.slice(secret.indexOf(shown.id.slice(4)) + 27)
  expect(stored[0]!.hash).toEqual(createHash('sha256').update(random).digest())

  expect((await owner.delete(`${path}/${shown.id}`)).status).toBe(204)
  expect((await owner.as(key(secret)).get('/project')).status).toBe(401)
  expect((await owner.delete(`${path}/${shown.id}`)).status).toBe(404)
})

test('rotation: the old secret ends at once, or overlaps for as long as asked', async () => {
  const service = await composeForTest()
  const { orgId, owner, secretKey, secretKeyId } = await addTenant(service, 'acme')
  const rotate = (body?: object) =>
    owner.post(`/organizations/${orgId}/api-keys/v1/${secretKeyId}/rotate`, body)
  const works = async (...secrets: string[]) =>
    Promise.all(secrets.map(async (secret) => (await owner.as(key(secret)).get('/project')).status === 200))
  const graceLeft = async () => {
    const [row] = await service.sql`
      select extract(epoch from max(expires_at) - now())::int as seconds from api_key_secrets where key_id = ${secretKeyId}`
    return row!.seconds
  }

  const second = (await rotate({ grace_seconds: 3600 })).body.api_key
  expect(second.id).toBe(secretKeyId)
  expect(await works(secretKey, second.secret)).toEqual([true, true])
  const third = (await rotate({ grace_seconds: 600 })).body.api_key
  expect(await works(secretKey, second.secret, third.secret)).toEqual([true, true, true])
  // A later rotation may shorten an overlap, never lengthen it.
  expect(await graceLeft()).toBeLessThanOrEqual(600)
  await service.sql`update api_key_secrets set expires_at = now() where expires_at is not null`
  expect(await works(secretKey, second.secret, third.secret)).toEqual([false, false, true])
  const fourth = (await rotate()).body.api_key
  expect(await works(third.secret, fourth.secret)).toEqual([false, true])
  expect((await rotate({ grace_seconds: -1 })).status).toBe(400)
})

test('a key ends at its expiry', async () => {
  const service = await composeForTest()
  const { orgId, projectId, owner } = await addTenant(service, 'acme')
  const path = `/organizations/${orgId}/api-keys/v1`
  const expiring_at = new Date(Date.now() + 1000).toISOString()
  const made = await owner.post(path, { name: 'brief', project_id: projectId, expiring_at })
  expect(made.body.api_key.expiring_at).toBe(expiring_at)
  await sleep(1100)
  expect((await owner.as(key(made.body.api_key.secret)).get('/project')).status).toBe(401)
  const past = await owner.post(path, {
    name: 'x',
    project_id: projectId,
    expiring_at: '2020-01-01T00:00:00Z',
  })
  expect(past.body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'body.expiring_at: must be in the future',
  })
})

test('nobody makes or rotates a key that may do more than they may', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const weak = await addRestrictedKey(tenant, ['keys:*', 'events:write', 'feeds:read', 'posts:read'])
  const path = `/organizations/${tenant.orgId}/api-keys/v1`
  const make = (kind: string) => weak.api.post(path, { name: kind, kind, project_id: tenant.projectId })
  expect((await make('sk')).status).toBe(403)
  expect((await make('pk')).status).toBe(201)
  expect((await weak.api.post(`${path}/${tenant.secretKeyId}/rotate`)).status).toBe(403)
  expect((await weak.api.post(`${path}/${weak.id}/rotate`)).status).toBe(200)
})

test('a key sees and makes keys of its own project only', async () => {
  const service = await composeForTest()
  const { orgId, owner, secretKey } = await addTenant(service, 'acme')
  const other = await owner.post(`/organizations/${orgId}/projects/v1`, { name: 'other' })
  const path = `/organizations/${orgId}/api-keys/v1`
  const theirs = await owner.post(path, { name: 'theirs', project_id: other.body.id })
  const byKey = owner.as(key(secretKey))
  expect((await byKey.get(path)).body.total).toBe(2)
  expect((await byKey.post(path, { name: 'x', project_id: other.body.id })).status).toBe(403)
  expect((await byKey.delete(`${path}/${theirs.body.api_key.id}`)).status).toBe(403)
  const unknown = 'proj_00000000000000000000000000'
  expect((await owner.post(path, { name: 'x', project_id: unknown })).status).toBe(404)
})

test('pages of keys: defaults, bounds, totals', async () => {
  const service = await composeForTest()
  const { orgId, projectId, owner } = await addTenant(service, 'acme')
  const path = `/organizations/${orgId}/api-keys/v1`
  for (let i = 0; i < 28; i++) await owner.post(path, { name: `key ${i}`, project_id: projectId })
  const names = async (query: string) => {
    const { body } = await owner.get(path + query)
    return { count: body.api_keys.length, total: body.total, first: body.api_keys[0]?.name }
  }
  expect(await names('')).toEqual({ count: 25, total: 30, first: 'key 27' })
  expect(await names('?limit=100')).toEqual({ count: 30, total: 30, first: 'key 27' })
  expect(await names('?limit=1&offset=27')).toEqual({ count: 1, total: 30, first: 'key 0' })
  expect(await names('?offset=30')).toEqual({ count: 0, total: 30, first: undefined })
  for (const bad of ['limit=0', 'limit=101', 'limit=abc', 'limit=1.5', 'offset=-1', 'offset=1e30', 'limit='])
    expect((await owner.get(`${path}?${bad}`)).status, bad).toBe(400)
})

test('the last use of a key is written down', async () => {
  const service = await composeForTest()
  const { owner, secretKey, secretKeyId } = await addTenant(service, 'acme')
  await owner.as(key(secretKey)).get('/project')
  await service.service.close()
  const [row] = await service.sql`select last_used from api_keys where id = ${secretKeyId}`
  expect(row!.last_used).toMatch(/Z$/)
})

test('of many rotations at once, one secret is left', async () => {
  const service = await composeForTest()
  const { orgId, owner, secretKeyId } = await addTenant(service, 'acme')
  const rotate = () => owner.post(`/organizations/${orgId}/api-keys/v1/${secretKeyId}/rotate`)
  const made = await Promise.all(Array.from({ length: 8 }, rotate))
  const works = await Promise.all(made.map(({ body }) => owner.as(key(body.api_key.secret)).get('/project')))
  expect(works.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('rotating, exchanging and revoking at once ends in no failure', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0' } })
  const { orgId, projectId, owner } = await addTenant(service, 'acme')
  const path = `/organizations/${orgId}/api-keys/v1`
  for (let i = 0; i < 10; i++) {
    const { body } = await owner.post(path, { name: 'brief', project_id: projectId })
    const { id, secret } = body.api_key
    const answers = await Promise.all([
      owner.post(`${path}/${id}/rotate`),
      owner.post(`${path}/${id}/rotate`),
      owner.post('/platform/auth/v1/token', { api_key: secret }),
      owner.delete(`${path}/${id}`),
    ])
    for (const { status } of answers) expect([200, 204, 401, 404]).toContain(status)
  }
})

test.each(['2030-01-01T00:00:00+23:00', '2030-01-01T00:00:00-16:00'])(
  'an expiry of %s is understood',
  async (expiring_at) => {
    const service = await composeForTest()
    const { orgId, projectId, owner } = await addTenant(service, 'acme')
    const made = await owner.post(`/organizations/${orgId}/api-keys/v1`, {
      name: 'x',
      project_id: projectId,
      expiring_at,
    })
    expect(made.body.api_key.expiring_at).toBe(new Date(expiring_at).toISOString())
  },
)

test.each(['9999-12-31T23:59:59-12:00', '2030-01-01T00:00:60Z'])(
  'an expiry of %s is refused',
  async (expiring_at) => {
    const service = await composeForTest()
    const { orgId, projectId, owner } = await addTenant(service, 'acme')
    const made = await owner.post(`/organizations/${orgId}/api-keys/v1`, {
      name: 'x',
      project_id: projectId,
      expiring_at,
    })
    expect(made.status).toBe(400)
  },
)

import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addTenant } from '../support/world.ts'

const PASSWORD = 'a long enough one'

test('an invitation is made, shown, accepted once, and brings its policies', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const policy = await owner.post(`/auth/v1/memberships/${orgId}/policies`, {
    name: 'r',
    permissions: ['*:read'],
  })
  const invited = await owner.post(`/auth/v1/memberships/${orgId}/invite`, {
    email: 'New@Example.com',
    policy_ids: [policy.body.id],
  })
  expect(invited.status).toBe(201)
  const { token, ...shown } = invited.body
  expect(shown).toMatchObject({
    org_id: orgId,
    email: 'new@example.com',
    role: 'member',
    policy_ids: [policy.body.id],
  })
  const list = () => owner.get(`/auth/v1/memberships/${orgId}/members`)
  expect((await list()).body).toMatchObject({ total: 1, invitations: [shown] })
  expect(JSON.stringify((await list()).body)).not.toContain(token)

  const accept = (body: object) => service.api.as({}).post('/auth/v1/invitations/accept', body)
  expect((await accept({ token: `${token}x`, password: PASSWORD })).status).toBe(401)
  expect((await accept({ token, password: 'short' })).body.details).toContain('at least 10')
  const accepted = await accept({ token, password: PASSWORD })
  expect(accepted.status).toBe(200)
  expect((await accept({ token, password: PASSWORD })).status).toBe(401)
  const member = service.api.as(bearer(accepted.body.access_token))
  expect((await member.get(`/organization/${orgId}/projects`)).status).toBe(200)
  expect((await list()).body).toMatchObject({
    total: 2,
    members: [{ role: 'owner' }, { email: 'new@example.com', role: 'member', policy_ids: [policy.body.id] }],
    invitations: [],
  })
})

test('who has an account proves it; an invitation sets nobody’s password', async () => {
  const service = await composeForTest()
  const acme = await addTenant(service, 'acme')
  await addTenant(service, 'other')
  const { body } = await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, {
    email: 'owner@other.example',
  })
  const accept = (password: string) =>
    service.api.as({}).post('/auth/v1/invitations/accept', { token: body.token, password })
  expect((await accept('some other password')).status).toBe(401)
  const accepted = await accept(PASSWORD)
  const me = await service.api.as(bearer(accepted.body.access_token)).get('/auth/v1/users/current')
  expect(me.body.organizations.map((o: { name: string; role: string }) => [o.name, o.role])).toEqual([
    ['acme', 'member'],
    ['other', 'owner'],
  ])
})

test('an invitation expires, is replaced by a second, and is not for members', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const invite = (email: string) => owner.post(`/auth/v1/memberships/${orgId}/invite`, { email })
  const accept = (token: string) =>
    service.api.as({}).post('/auth/v1/invitations/accept', { token, password: PASSWORD })
  const first = await invite('new@example.com')
  const second = await invite('new@example.com')
  expect((await accept(first.body.token)).status).toBe(401)
  await service.sql`update invitations set expires_at = now()`
  expect((await accept(second.body.token)).status).toBe(401)
  expect((await invite('owner@acme.example')).status).toBe(409)
  expect((await invite('not an address')).body.details).toBe('body.email: must match format "email"')
})

test('roles change, the last owner stays, and only owners make owners', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/members`
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['members:*'])
  const ownerId = (await tenant.owner.get('/auth/v1/users/current')).body.id
  expect((await clerk.api.patch(`${base}/${clerk.id}/role`, { role: 'owner' })).status).toBe(403)
  expect((await clerk.api.delete(`${base}/${ownerId}`)).status).toBe(403)
  expect(
    (
      await clerk.api.post(`/auth/v1/memberships/${tenant.orgId}/invite`, {
        email: 'x@y.example',
        role: 'owner',
      })
    ).status,
  ).toBe(403)
  expect((await tenant.owner.patch(`${base}/${ownerId}/role`, { role: 'member' })).status).toBe(409)
  expect((await tenant.owner.delete(`${base}/${ownerId}`)).status).toBe(409)
  expect((await tenant.owner.patch(`${base}/${clerk.id}/role`, { role: 'owner' })).body).toMatchObject({
    user_id: clerk.id,
    role: 'owner',
  })
  expect((await tenant.owner.patch(`${base}/${clerk.id}/role`, { role: 'king' })).status).toBe(400)
  // Two owners removing each other at once: one of them is left.
  const both = await Promise.all([
    clerk.api.delete(`${base}/${ownerId}`),
    tenant.owner.delete(`${base}/${clerk.id}`),
  ])
  expect(both.filter(({ status }) => status === 204)).toHaveLength(1)
})

test('a member who is removed loses access at once', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const member = await addMember(service, tenant, 'm@acme.example', ['*:read'])
  const projects = () => member.api.get(`/organization/${tenant.orgId}/projects`)
  expect((await projects()).status).toBe(200)
  expect(
    (await tenant.owner.delete(`/auth/v1/memberships/${tenant.orgId}/members/${member.id}`)).status,
  ).toBe(204)
  expect((await projects()).status).toBe(403)
  expect(await service.sql`select from policy_attachments where user_id = ${member.id}`).toHaveLength(0)
})

test('guessing a password by way of invitations is counted like signing in', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0' } })
  const acme = await addTenant(service, 'acme')
  await addTenant(service, 'other')
  const { body } = await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, {
    email: 'owner@other.example',
  })
  const accept = (password: string) =>
    service.api.as({}).post('/auth/v1/invitations/accept', { token: body.token, password })
  for (let i = 0; i < 10; i++) expect((await accept(`guess number ${i}`)).status).toBe(401)
  expect((await accept(PASSWORD)).status).toBe(429)
})

test('a nonsensical invitation token is refused', async () => {
  const service = await composeForTest()
  for (const token of [
    '',
    'x',
    'inv_\u0000.x',
    'inv_00000000000000000000000000',
    'inv_00000000000000000000000000.\u0000',
  ])
    expect(
      (await service.api.as({}).post('/auth/v1/invitations/accept', { token, password: PASSWORD })).status,
      token,
    ).toBe(401)
})

test('two organizations’ invitations of one new address, accepted at once', async () => {
  const service = await composeForTest()
  const tenants = [await addTenant(service, 'acme'), await addTenant(service, 'other')]
  const tokens = await Promise.all(
    tenants.map(
      async ({ owner, orgId }) =>
        (await owner.post(`/auth/v1/memberships/${orgId}/invite`, { email: 'new@example.com' })).body.token,
    ),
  )
  const answers = await Promise.all(
    tokens.map((token) =>
      service.api.as({}).post('/auth/v1/invitations/accept', { token, password: PASSWORD }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await service.sql`select from users where email = 'new@example.com'`).toHaveLength(1)
})

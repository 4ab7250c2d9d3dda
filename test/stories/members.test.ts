import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { browserAt, SESSION, tokenOf } from '../support/page-browser.ts'
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
  const { token, link, ...shown } = invited.body
  expect(link).toMatch(new RegExp(`^http://localhost:\\d+/console/accept#token=${token}$`))
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

test('an invitation is accepted in a browser, which is signed in by that', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const { body } = await owner.post(`/auth/v1/memberships/${orgId}/invite`, { email: 'new@example.com' })
  const browser = browserAt(service)
  const asked = { token: tokenOf(body.link!), password: PASSWORD }
  const shown = await browser.send('POST', '/auth/v1/browser/invitation', { token: asked.token })
  const { email, role, expires_at } = body
  expect(shown.body).toEqual({ organization: 'acme', email, role, expires_at })
  const accepted = await browser.send('POST', `${SESSION}/invitation`, asked)
  expect(accepted.set).toMatch(/^marquee_session=[^;]+; Path=\/auth\/v1\/browser; HttpOnly; SameSite=Strict/)
  const { access_token } = (await browser.renew()).body
  const me = await service.api.as(bearer(access_token)).get('/auth/v1/users/current')
  expect(me.body).toMatchObject({ email, organizations: [{ id: orgId, role }] })
})

test('who has a proved account joins with its password; an invitation sets nobody’s', async () => {
  const service = await composeForTest()
  const acme = await addTenant(service, 'acme')
  await addTenant(service, 'other')
  const { body } = await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, {
    email: 'owner@other.example',
  })
  const accept = (password: string) =>
    service.api.as({}).post('/auth/v1/invitations/accept', { token: body.token, password })
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
  const base = `/auth/v1/memberships/${acme.orgId}`
  const guess = async (password: string) => {
    const invited = await acme.owner.post(`${base}/invite`, { email: 'owner@other.example' })
    const { token } = invited.body
    const accepted = await service.api.as({}).post('/auth/v1/invitations/accept', { token, password })
    if (accepted.status !== 200) return accepted.status
    const me = service.api.as(bearer(accepted.body.access_token))
    const { body } = await me.get('/auth/v1/users/current')
    // A wrong guess makes an account of this organization, as it does for an address without one.
    expect(body.organizations).toHaveLength(1)
    expect((await acme.owner.delete(`${base}/members/${body.id}`)).status).toBe(204)
    expect((await me.get('/auth/v1/users/current')).status).toBe(401)
    return 200
  }
  for (let i = 0; i < 10; i++) expect(await guess(`guess number ${i}`)).toBe(200)
  expect(await guess(PASSWORD)).toBe(429)
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
  // Nobody has proved the address, so each has one of its own.
  const made = await service.sql`select confined_to from users where email = 'new@example.com' order by 1`
  expect(made.map(({ confined_to }) => confined_to)).toEqual(tenants.map(({ orgId }) => orgId).sort())
})

test('open invitations are listed and withdrawn', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const base = `/auth/v1/memberships/${orgId}`
  const made = []
  for (const email of ['a@new.example', 'b@new.example', 'c@new.example'])
    made.push((await owner.post(`${base}/invite`, { email })).body)
  await service.sql`update invitations set expires_at = now() where email = 'c@new.example'`
  const list = await owner.get(`${base}/invitations?limit=1&offset=1`)
  const { token, link: _, ...second } = made[1]
  expect(list.body).toEqual({ invitations: [second], total: 2 })

  const at = `${base}/invitations/${second.id}`
  expect((await other.owner.delete(at)).status).toBe(403)
  const elsewhere = `/auth/v1/memberships/${other.orgId}/invitations/${second.id}`
  expect((await other.owner.delete(elsewhere)).status).toBe(404)
  expect((await owner.delete(`${base}/invitations/nonsense`)).status).toBe(400)
  expect((await owner.delete(at)).status).toBe(204)
  expect((await owner.delete(at)).status).toBe(404)
  const accepted = await owner.as({}).post('/auth/v1/invitations/accept', { token, password: PASSWORD })
  expect(accepted.status).toBe(401)
  expect((await owner.get(`${base}/invitations`)).body.total).toBe(1)
})

test('nobody replaces or withdraws an invitation to more than they hold', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}`
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['members:*'])
  const strong = await tenant.owner.post(`${base}/policies`, { name: 'strong', permissions: ['billing:*'] })
  const invite = (api: typeof clerk.api, email: string, body: object = {}) =>
    api.post(`${base}/invite`, { email, ...body })
  const invitations = [
    await invite(tenant.owner, 'boss@new.example', { role: 'owner' }),
    await invite(tenant.owner, 'clerk@new.example', { policy_ids: [strong.body.id] }),
  ]
  for (const { body } of invitations) {
    expect((await invite(clerk.api, body.email)).status, body.email).toBe(403)
    expect((await clerk.api.delete(`${base}/invitations/${body.id}`)).status, body.email).toBe(403)
  }
  // An owner may, but not by a slip: the owner's invitation is withdrawn first.
  expect((await invite(tenant.owner, 'boss@new.example')).body).toMatchObject({
    code: 409,
    details: expect.stringContaining('withdraw'),
  })
  expect((await tenant.owner.get(`${base}/invitations`)).body.invitations).toMatchObject([
    { role: 'owner' },
    { policy_ids: [strong.body.id] },
  ])
  expect((await invite(tenant.owner, 'boss@new.example', { role: 'owner' })).status).toBe(201)
  const [boss] = (await tenant.owner.get(`${base}/invitations`)).body.invitations.filter(
    ({ role }: { role: string }) => role === 'owner',
  )
  expect((await tenant.owner.delete(`${base}/invitations/${boss.id}`)).status).toBe(204)
  expect((await invite(clerk.api, 'boss@new.example')).status).toBe(201)
})

test('members leave by themselves, the last owner does not', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const base = `/auth/v1/memberships/${tenant.orgId}/members`
  const member = await addMember(service, tenant, 'm@acme.example', [])
  const another = await addMember(service, tenant, 'n@acme.example', [])
  expect((await member.api.delete(`${base}/${another.id}`)).status).toBe(403)
  expect((await member.api.delete(`/auth/v1/memberships/${other.orgId}/members/${member.id}`)).status).toBe(
    403,
  )
  expect((await member.api.delete(`${base}/${member.id}`)).status).toBe(204)
  expect((await member.api.delete(`${base}/${member.id}`)).status).toBe(403)
  const ownerId = (await tenant.owner.get('/auth/v1/users/current')).body.id
  expect((await tenant.owner.delete(`${base}/${ownerId}`)).status).toBe(409)
  await tenant.owner.patch(`${base}/${another.id}/role`, { role: 'owner' })
  expect((await tenant.owner.delete(`${base}/${ownerId}`)).status).toBe(204)
})

test('a suspended member is refused at once, and is let in again as they were', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/members`
  const member = await addMember(service, tenant, 'm@acme.example', ['*:read'])
  const login = await service.api
    .as({})
    .post('/auth/v1/login', { email: 'm@acme.example', password: PASSWORD })
  const projects = (token: string) =>
    service.api.as(bearer(token)).get(`/organization/${tenant.orgId}/projects`)
  const set = (id: string, status: string, api = tenant.owner) =>
    api.patch(`${base}/${id}/status`, { status })
  expect((await projects(member.token)).status).toBe(200)
  expect((await set(member.id, 'suspended')).body).toMatchObject({ user_id: member.id, status: 'suspended' })
  const refresh = { refresh_token: login.body.refresh_token }
  const refreshed = await service.api.as({}).post('/auth/v1/token', refresh)
  for (const token of [member.token, login.body.access_token, refreshed.body.access_token])
    expect((await projects(token)).body).toMatchObject({ code: 403, details: 'your membership is suspended' })
  expect((await member.api.get('/auth/v1/policies/permissions')).status).toBe(403)
  const invited = await tenant.owner.post(`/auth/v1/memberships/${tenant.orgId}/invite`, {
    email: 'm@acme.example',
  })
  expect(invited.status).toBe(409)
  expect((await tenant.owner.get(base)).body.members).toMatchObject([
    { role: 'owner', status: 'active' },
    { status: 'suspended' },
  ])
  // Letting somebody in again gives what they had: it takes holding that.
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['members:*'])
  expect((await set(member.id, 'active', clerk.api)).status).toBe(403)
  expect((await set(member.id, 'active')).body.status).toBe('active')
  expect((await projects(member.token)).status).toBe(200)
  expect((await set(member.id, 'asleep')).status).toBe(400)
})

test('an owner who is not suspended is left, whoever suspends whom', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/members`
  const ownerId = (await tenant.owner.get('/auth/v1/users/current')).body.id
  const set = (api: typeof tenant.owner, id: string, status: string) =>
    api.patch(`${base}/${id}/status`, { status })
  expect((await set(tenant.owner, ownerId, 'suspended')).status).toBe(409)
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['members:*'])
  expect((await set(clerk.api, ownerId, 'suspended')).status).toBe(403)
  await tenant.owner.patch(`${base}/${clerk.id}/role`, { role: 'owner' })
  const both = await Promise.all([
    set(clerk.api, ownerId, 'suspended'),
    set(tenant.owner, clerk.id, 'suspended'),
  ])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const [left, gone] = both[0].status === 200 ? [clerk.api, ownerId] : [tenant.owner, clerk.id]
  const leftId = left === clerk.api ? clerk.id : ownerId
  // The suspended owner is none that counts.
  expect((await left.patch(`${base}/${leftId}/role`, { role: 'member' })).status).toBe(409)
  expect((await left.delete(`${base}/${leftId}`)).status).toBe(409)
  expect((await left.patch(`${base}/${gone}/role`, { role: 'member' })).status).toBe(200)
})

import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../server/base/permissions.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addRestrictedKey, addTenant } from '../support/world.ts'

const UNKNOWN = 'pol_00000000000000000000000000'

test('a policy is made, read, updated to the letter, and deleted', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${orgId}/policies`
  const made = await owner.post(base, { name: 'editors', permissions: ['videos:*', 'images:read'] })
  expect(made.status).toBe(201)
  const updated = await owner.put(`${base}/${made.body.id}`, {
    description: 'who edit',
    permissions: ['videos:write'],
  })
  expect(updated.status).toBe(200)
  expect(updated.body).toEqual({
    id: made.body.id,
    org_id: orgId,
    name: 'editors',
    description: 'who edit',
    permissions: ['videos:write'],
    created_by: expect.stringMatching(/^user_/),
    created_at: made.body.created_at,
    updated_at: expect.any(String),
  })
  expect(updated.body.updated_at > made.body.updated_at).toBe(true)
  expect((await owner.get(base)).body).toEqual({ policies: [updated.body] })
  expect((await owner.get(`${base}/${made.body.id}`)).body).toEqual(updated.body)
  expect((await owner.put(`${base}/${made.body.id}`, {})).body).toMatchObject({
    name: 'editors',
    permissions: ['videos:write'],
  })
  expect((await owner.delete(`${base}/${made.body.id}`)).status).toBe(204)
  expect((await owner.get(`${base}/${made.body.id}`)).status).toBe(404)
})

test('what generated clients repeat in the body must agree with the path', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${orgId}/policies`
  const { body } = await owner.post(base, { name: 'p', permissions: [] })
  const put = (change: object) => owner.put(`${base}/${body.id}`, change)
  expect((await put({ name: 'q', policy_id: body.id, user: { org_id: orgId } })).status).toBe(200)
  expect((await put({ name: 'r', policy_id: UNKNOWN })).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'body.policy_id: differs from the path',
  })
  expect((await put({ name: 'r', user: { org_id: 'org_other' } })).status).toBe(400)
  expect((await owner.get(`${base}/${body.id}`)).body.name).toBe('q')
})

test.each([
  [
    { permissions: ['videos:fly'] },
    'permissions: "videos:fly" is unknown; see GET /auth/v1/policies/permissions',
  ],
  [{ permissions: 'videos:read' }, 'body.permissions: must be array'],
  [{ permissions: [1] }, 'body.permissions[0]: must be string'],
  [{ name: '' }, 'body.name: must NOT have fewer than 1 characters'],
  [{ name: 'a\u0000b' }, 'body.name: is malformed'],
])('a bad update %j is a 400 that names the field', async (change, details) => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${orgId}/policies`
  const { body } = await owner.post(base, { name: 'p', permissions: [] })
  expect((await owner.put(`${base}/${body.id}`, change)).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details,
  })
})

test('malformed ids are 400, unknown ones and those of others 404', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const theirs = await other.owner.post(`/auth/v1/memberships/${other.orgId}/policies`, {
    name: 'p',
    permissions: [],
  })
  const at = (id: string) => owner.put(`/auth/v1/memberships/${orgId}/policies/${id}`, { name: 'x' })
  expect((await at('nonsense')).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'params.policy_id: is malformed',
  })
  const unknown = await at(UNKNOWN)
  expect(unknown.status).toBe(404)
  expect((await at(theirs.body.id)).body).toEqual(unknown.body)
})

test('nobody grants what they do not hold', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/policies`
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['policies:*', 'videos:read'])
  const admin = await tenant.owner.post(base, { name: 'admin', permissions: ['*:*'] })
  const mild = await clerk.api.post(base, { name: 'mild', permissions: ['videos:read'] })
  expect(mild.status).toBe(201)
  expect((await clerk.api.post(base, { name: 'bold', permissions: ['videos:*'] })).status).toBe(403)
  expect((await clerk.api.put(`${base}/${mild.body.id}`, { permissions: ['*:read'] })).status).toBe(403)
  // Renaming a strong policy or taking from it grants nothing.
  expect((await clerk.api.put(`${base}/${admin.body.id}`, { name: 'admins' })).status).toBe(200)
  expect((await clerk.api.put(`${base}/${admin.body.id}`, { permissions: ['videos:*'] })).status).toBe(200)
  const self = { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: clerk.id }
  expect((await clerk.api.post(`${base}/${admin.body.id}/attachments`, self)).status).toBe(403)
  expect((await clerk.api.post(`${base}/${mild.body.id}/attachments`, self)).status).toBe(201)
})

test('policies attached to a member take effect and go at once', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/policies`
  const member = await addMember(service, tenant, 'm@acme.example', [])
  const projects = () => member.api.get(`/organization/${tenant.orgId}/projects`)
  expect((await projects()).status).toBe(403)
  const policy = await tenant.owner.post(base, { name: 'readers', permissions: ['*:read'] })
  const to = { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: member.id }
  const attached = await tenant.owner.post(`${base}/${policy.body.id}/attachments`, to)
  expect(attached.body).toEqual({
    id: expect.stringMatching(/^att_/),
    policy_id: policy.body.id,
    ...to,
    created_at: expect.any(String),
  })
  expect((await tenant.owner.post(`${base}/${policy.body.id}/attachments`, to)).body).toEqual(attached.body)
  expect((await projects()).status).toBe(200)
  expect((await tenant.owner.get(`${base}/${policy.body.id}/attachments`)).body).toEqual({
    attachments: [attached.body],
  })
  expect((await tenant.owner.delete(`${base}/attachments/${attached.body.id}`)).status).toBe(204)
  expect((await projects()).status).toBe(403)
})

test('a policy narrows a key; taking it away widens the key again, which takes an owner', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const base = `/auth/v1/memberships/${tenant.orgId}/policies`
  const restricted = await addRestrictedKey(tenant, ['videos:read'])
  expect((await restricted.api.get('/project')).status).toBe(403)
  const clerk = await addMember(service, tenant, 'clerk@acme.example', ['policies:*', 'videos:read'])
  expect((await clerk.api.delete(`${base}/attachments/${restricted.attachmentId}`)).status).toBe(403)
  expect((await tenant.owner.delete(`${base}/${restricted.policyId}`)).body).toMatchObject({
    code: 409,
    error: 'Conflict',
  })
  expect((await restricted.api.get('/project')).status).toBe(403)
  expect((await tenant.owner.delete(`${base}/attachments/${restricted.attachmentId}`)).status).toBe(204)
  expect((await restricted.api.get('/project')).status).toBe(200)
})

test('an empty policy takes everything from a key', async () => {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const nothing = await addRestrictedKey(tenant, [])
  expect((await nothing.api.get('/project')).status).toBe(403)
})

test('the registry lists every permission with its place', async () => {
  const service = await composeForTest()
  const { body } = await service.api.get('/auth/v1/policies/permissions')
  expect(body.permissions).toHaveLength(33)
  expect(body.permissions[0]).toEqual({ name: 'videos:read', offset: 0 })
  expect(body.permissions.map((p: { name: string }) => p.name)).toEqual(PERMISSIONS)
})

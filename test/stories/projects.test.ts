import { expect, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addTenant } from '../support/world.ts'

test('a project is made, shown, changed and deleted with its keys', async () => {
  const service = await composeForTest({ env: { MARQUEE_REGIONS: 'eu-west,us-east' } })
  const { orgId, owner, projectId, secretKey } = await addTenant(service, 'acme')
  const base = `/organizations/${orgId}/projects/v1`
  const nowhere = await owner.post(base, { name: 'Films', regions: ['eu-west', 'moon'] })
  expect(nowhere.body).toMatchObject({
    code: 400,
    details: 'regions: "moon" is not a region of this installation; its regions are eu-west, us-east',
  })
  const made = await owner.post(base, { name: 'Films', regions: ['eu-west'], video_quality: 'pro' })
  expect(made.status).toBe(201)
  expect(made.body).toEqual({
    id: expect.stringMatching(/^proj_[0-9a-z]{26}$/),
    name: 'Films',
    org_id: orgId,
    custom_domain: '',
    regions: ['eu-west'],
    notes: [expect.stringContaining('do not choose where its media is')],
    video_quality: 'pro',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const at = `${base}/${made.body.id}`
  expect((await owner.patch(`${at}/name`, { name: 'Movies' })).body.name).toBe('Movies')
  expect((await owner.patch(`${at}/video-quality`, { video_quality: 'shorts' })).body.video_quality).toBe(
    'shorts',
  )
  expect((await owner.patch(`${at}/video-quality`, { video_quality: '8k' })).status).toBe(400)
  expect(
    (await owner.put(`${at}/custom-domain`, { custom_domain: 'Media.Example.com' })).body.custom_domain,
  ).toBe('media.example.com')
  for (const custom_domain of ['localhost', 'http://media.example.com', 'a b.example', '-x.example', ''])
    expect((await owner.put(`${at}/custom-domain`, { custom_domain })).status, custom_domain).toBe(400)
  expect((await owner.delete(`${at}/custom-domain`)).body.custom_domain).toBe('')
  const shown = await owner.get(at)
  expect(shown.body).toMatchObject({ name: 'Movies', custom_domain: '', video_quality: 'shorts' })

  expect((await owner.delete(`${base}/${projectId}?confirm=${projectId}`)).status).toBe(204)
  expect((await owner.get(`${base}/${projectId}`)).status).toBe(404)
  expect((await owner.as(key(secretKey)).get('/project')).status).toBe(401)
  expect((await owner.get(`/organization/${orgId}/projects`)).body.projects).toEqual([shown.body])
})

test('deleting a project takes its name or id a second time, and no key of its own', async () => {
  const service = await composeForTest()
  const { orgId, owner, projectId, secretKey } = await addTenant(service, 'acme')
  const at = `/organizations/${orgId}/projects/v1/${projectId}`
  for (const query of ['', '?confirm=', '?confirm=other', `?confirm=${orgId}`]) {
    const refused = await owner.delete(at + query)
    expect(refused.body, query).toMatchObject({ code: 400, details: expect.stringContaining('confirm') })
    expect(refused.body.details).toContain(`?confirm=${projectId}`)
  }
  // Nor with a token that was got for the key.
  const token = await owner.as({}).post('/platform/auth/v1/token', { api_key: secretKey })
  for (const credential of [key(secretKey), bearer(token.body.access_token)])
    expect((await owner.as(credential).delete(`${at}?confirm=${projectId}`)).status).toBe(403)
  expect((await owner.get(at)).status).toBe(200)
  expect((await owner.delete(`${at}?confirm=${encodeURIComponent('acme project')}`)).status).toBe(204)
  expect((await owner.delete(`${at}?confirm=${projectId}`)).status).toBe(404)
})

test('an installation that names no regions has none to offer', async () => {
  const service = await composeForTest()
  const { orgId, owner } = await addTenant(service, 'acme')
  const base = `/organizations/${orgId}/projects/v1`
  expect((await owner.post(base, { name: 'x', regions: ['eu-west'] })).body.details).toContain(
    'it names none',
  )
  const made = await owner.post(base, { name: 'x', regions: [] })
  expect(made.body).toMatchObject({ regions: [] })
  expect(made.body).not.toHaveProperty('notes')
  expect((await owner.get(`/organization/${orgId}/projects`)).body.projects).toHaveLength(2)
})

test('a user names the current project, or has only one', async () => {
  const service = await composeForTest()
  const { orgId, owner, projectId } = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  expect((await owner.get('/project')).body.id).toBe(projectId)
  const second = await owner.post(`/organizations/${orgId}/projects/v1`, { name: 'second' })
  expect((await owner.get('/project')).body).toMatchObject({
    code: 400,
    details: expect.stringContaining('X-Project-Id'),
  })
  expect((await owner.get('/project', { 'x-project-id': second.body.id })).body.id).toBe(second.body.id)
  expect((await owner.get('/project', { 'x-project-id': other.projectId })).status).toBe(403)
  expect((await owner.get('/project', { 'x-project-id': 'proj_00000000000000000000000000' })).status).toBe(
    403,
  )
  expect((await owner.get('/project', { 'x-project-id': 'nonsense' })).status).toBe(400)
  expect((await owner.as(key(other.secretKey)).get('/project', { 'x-project-id': projectId })).status).toBe(
    403,
  )
})

test('storage figures are those of the project and its plan', async () => {
  const service = await composeForTest({
    env: { MARQUEE_STORAGE_FREE: '3GiB', MARQUEE_LIMIT_FREE_PER_MINUTE: '0' },
  })
  const { projectId, secretKey } = await addTenant(service, 'acme', 'free')
  await service.sql`update projects set storage_used = 1234567890123 where id = ${projectId}`
  const { body } = await service.api.as(key(secretKey)).get('/project')
  expect(body).toMatchObject({ storage_used: 1234567890123, storage_limit: 3 * 2 ** 30 })
})

test('unknown and foreign organizations answer alike, malformed ones are 400', async () => {
  const service = await composeForTest()
  const { ownerToken } = await addTenant(service, 'acme')
  const other = await addTenant(service, 'other')
  const projects = (org: string) => service.api.as(bearer(ownerToken)).get(`/organization/${org}/projects`)
  const unknown = await projects('org_00000000000000000000000000')
  expect(unknown.body).toEqual({ code: 403, error: 'Forbidden' })
  expect((await projects(other.orgId)).body).toEqual(unknown.body)
  expect((await projects('org_short')).body).toEqual({
    code: 400,
    error: 'Bad Request',
    details: 'params.orgId: is malformed',
  })
})

test('whoever may do anything in an organization finds its projects by name, and only its own', async () => {
  const service = await composeForTest({ env: { MARQUEE_TRASH_LIFETIME: '3600', MARQUEE_SIZES: 'signed' } })
  const acme = await addTenant(service, 'acme')
  await addTenant(service, 'other')
  const at = '/auth/v1/users/current/projects'
  const viewer = await addMember(service, acme, 'viewer@acme.example', ['videos:read'])
  const own = {
    id: acme.projectId,
    name: 'acme project',
    org_id: acme.orgId,
    created_at: expect.any(String),
    trash_lifetime: 3600,
    unsigned_widths: expect.arrayContaining([160, 2560]),
  }
  expect((await viewer.api.get(at)).body).toEqual({ projects: [own] })
  // What they are set to is for those who may see projects.
  expect((await viewer.api.get(`/organization/${acme.orgId}/projects`)).status).toBe(403)

  const second = await acme.owner.post(`/organizations/${acme.orgId}/projects/v1`, { name: 'Films' })
  const page = await viewer.api.get(`${at}?limit=1&offset=1`)
  expect(page.body.projects).toEqual([expect.objectContaining({ id: second.body.id, name: 'Films' })])
  await acme.owner.delete(`/organizations/${acme.orgId}/projects/v1/${second.body.id}?confirm=Films`)
  expect((await viewer.api.get(at)).body).toEqual({ projects: [own] })

  const nobody = await addMember(service, acme, 'nobody@acme.example', [])
  expect((await nobody.api.get(at)).body).toEqual({ projects: [] })
  const token = await acme.owner.as({}).post('/platform/auth/v1/token', { api_key: acme.secretKey })
  expect((await acme.owner.as(bearer(token.body.access_token)).get(at)).status).toBe(403)
})

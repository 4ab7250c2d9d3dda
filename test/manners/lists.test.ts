import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

const ROOMS = ['one', 'two', 'three', 'four']

/** A tenant with four of everything that can be listed, and where the lists are. */
async function world() {
  const service = await composeForTest()
  const tenant = await addTenant(service, 'acme')
  const { orgId, projectId, owner } = tenant
  const policies = `/auth/v1/memberships/${orgId}/policies`
  const keys = `/organizations/${orgId}/api-keys/v1`
  let policyId = ''
  for (const name of ROOMS) {
    await owner.post(`/organizations/${orgId}/projects/v1`, { name })
    await owner.post('/feeds', { name }, { 'x-project-id': projectId })
    policyId = (await owner.post(policies, { name, permissions: ['videos:read'] })).body.id
    await owner.post(keys, { name, project_id: projectId })
  }
  for (const { id, kind } of (await owner.get(keys)).body.api_keys)
    if (kind === 'sk')
      await owner.post(`${policies}/${policyId}/attachments`, {
        identity_type: 'POLICY_IDENTITY_TYPE_API_KEY',
        identity_id: id,
      })
  const feed = (await owner.post('/feeds', { name: 'posts' }, { 'x-project-id': projectId })).body.id
  const lists: Record<string, (body: Record<string, never[]>) => object[]> = {
    [`/organization/${orgId}/projects`]: (body) => body.projects!,
    [policies]: (body) => body.policies!,
    [`${policies}/${policyId}/attachments`]: (body) => body.attachments!,
    [keys]: (body) => body.api_keys!,
    [`/auth/v1/memberships/${orgId}/members`]: (body) => body.members!,
    '/auth/v1/policies/permissions': (body) => body.permissions!,
    '/billing/v1/plans': (body) => body.plans!,
    '/videos/languages': (body) => body as unknown as object[],
    '/feeds': (body) => body.data!,
    '/videos': (body) => body.data!,
    '/images': (body) => body.data!,
    [`/feeds/${feed}`]: (body) => body.data!,
    [`/feeds/${feed}/creators/somebody`]: (body) => body.data!,
    [`/posts/v1/projects/${projectId}/feeds/${feed}/posts`]: (body) => body.data!,
  }
  return { tenant, lists, get: (path: string) => owner.get(path, { 'x-project-id': projectId }) }
}

test('every list takes a limit and an offset, by either name, and refuses what it cannot sort by', async () => {
  const { lists, get } = await world()
  for (const [path, itemsOf] of Object.entries(lists)) {
    const whole = await get(path)
    expect(whole.status, path).toBe(200)
    const all = itemsOf(whole.body)
    const part = async (query: string) => itemsOf((await get(`${path}?${query}`)).body)
    expect(await part('limit=2&offset=1'), path).toEqual(all.slice(1, 3))
    expect(await part('pagination.limit=1&pagination.offset=2'), path).toEqual(all.slice(2, 3))
    expect(await part('limit=1&pagination.limit=1'), path).toEqual(all.slice(0, 1))
    expect(await part('offset=1'), path).toEqual(all.slice(1))
    expect((await get(`${path}?limit=1&pagination.limit=2`)).body, path).toMatchObject({
      code: 400,
      details: 'query.pagination.limit: is another name for limit, which says something else',
    })
    for (const limit of ['500', '0', '-1'])
      expect((await get(`${path}?limit=${limit}`)).body, `${path} ${limit}`).toMatchObject({
        code: 400,
        details: 'query.limit: must be between 1 and 100',
      })
    expect((await get(`${path}?offset=-1`)).body.details, path).toBe('query.offset: must be at least 0')
    // Other fields are nobody's business.
    expect((await get(`${path}?page=7&utm_source=mail`)).status, path).toBe(200)
    if (path === '/billing/v1/plans') continue
    for (const name of ['sort', 'order'])
      expect((await get(`${path}?${name}=nonsense`)).body, `${path} ${name}`).toMatchObject({
        code: 400,
        details: expect.stringMatching(new RegExp(`^query\\.${name}: must be one of \\w+`)),
      })
  }
})

test('lists that were shown whole still are', async () => {
  const { tenant, get } = await world()
  const { projects } = (await get(`/organization/${tenant.orgId}/projects`)).body
  expect(projects.map(({ name }: { name: string }) => name)).toEqual(['acme project', ...ROOMS])
  const { permissions } = (await get('/auth/v1/policies/permissions')).body
  expect(permissions.length).toBeGreaterThan(30)
  expect((await get('/videos/languages')).body.length).toBeGreaterThan(100)
})

test('filters refuse values that they do not know', async () => {
  const { lists, get } = await world()
  const posts = Object.keys(lists).find((path) => path.startsWith('/posts/v1'))
  expect((await get(`${posts}?status=secret`)).body).toMatchObject({
    code: 400,
    details: 'query.status: must be one of published, draft',
  })
  expect((await get('/videos?sort=name&order=up')).body).toMatchObject({
    code: 400,
    error: 'Invalid query parameters',
    details: 'query.order: must be one of asc, desc',
  })
})

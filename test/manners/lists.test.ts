import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'
import { addTenant, type Tenant } from '../support/world.ts'

const TONE = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=1', '-c:a', 'aac']
const ROOMS = ['one', 'two', 'three', 'four']

/** Where lists are, and what of an answer is the list. */
type Lists = Record<string, (body: Record<string, never[]>) => object[]>

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
  for (const name of ROOMS)
    await owner.post(`/auth/v1/memberships/${orgId}/invite`, { email: `${name}@acme.example` })
  const feed = (await owner.post('/feeds', { name: 'posts' }, { 'x-project-id': projectId })).body.id
  const lists: Lists = {
    [`/organization/${orgId}/projects`]: (body) => body.projects!,
    [policies]: (body) => body.policies!,
    [`${policies}/${policyId}/attachments`]: (body) => body.attachments!,
    [keys]: (body) => body.api_keys!,
    [`/auth/v1/memberships/${orgId}/members`]: (body) => body.members!,
    [`/auth/v1/memberships/${orgId}/invitations`]: (body) => body.invitations!,
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
  return { service, tenant, lists, get: (path: string) => owner.get(path, { 'x-project-id': projectId }) }
}

/** The lists of a video with subtitles and audio tracks in several languages. */
async function listsOfVideo(service: InProcess, { ownerToken, projectId }: Tenant): Promise<Lists> {
  const credential = { ...bearer(ownerToken), 'x-project-id': projectId }
  const { id } = await videoUploaderOf(service.api.as(credential)).upload(await clip(1))
  const forms = formsOf(service, credential)
  const subtitle = { name: 'a.srt', content: '1\n00:00:00,000 --> 00:00:01,000\nHello\n' }
  const track = { name: 'a.m4a', content: await made(TONE, 'm4a') }
  for (const language of ['de', 'en', 'fr']) {
    const added = [
      await forms.put(`/videos/${id}/subtitles/${language}`, ['file', subtitle]),
      await forms.put(`/videos/${id}/audio-tracks/${language}`, ['file', track]),
    ]
    expect(added.map(({ status }) => status)).toEqual([200, 200])
  }
  return {
    [`/videos/${id}/subtitles`]: (body) => body.data!,
    [`/videos/${id}/audio-tracks`]: (body) => body.data!,
  }
}

test('every list takes a limit and an offset, by either name, and refuses what it cannot sort by', async () => {
  const { service, tenant, lists, get } = await world()
  const ofVideo = await listsOfVideo(service, tenant)
  for (const [path, itemsOf] of Object.entries({ ...lists, ...ofVideo })) {
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

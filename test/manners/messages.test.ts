import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addRestrictedKey, addTenant } from '../support/world.ts'

const PASSWORD = 'a long enough one'

test('a 403 names the permission that is missing, and across tenants nothing', async () => {
  const service = await composeForTest()
  const mine = await addTenant(service, 'mine')
  const theirs = await addTenant(service, 'theirs')
  const reader = (await addRestrictedKey(mine, ['videos:read'])).api
  expect((await reader.post('/videos/upload/init', { file_name: 'a.mp4' })).body).toEqual({
    code: 403,
    error: 'Forbidden',
    details: 'needs videos:write',
  })
  expect((await reader.post('/analytics/v1/events', { events: [] })).body.details).toBe('needs events:write')
  expect((await reader.get(`/organization/${mine.orgId}/projects`)).body.details).toBe('needs projects:read')
  const policies = (orgId: string) => `/auth/v1/memberships/${orgId}/policies`
  expect((await reader.get(policies(mine.orgId))).body.details).toBe(
    'needs policies:read in the whole organization',
  )
  const member = await addMember(service, mine, 'editor@mine.example', ['policies:write', 'videos:read'])
  const granting = { name: 'more', permissions: ['videos:*'] }
  expect((await member.api.post(policies(mine.orgId), granting)).body.details).toBe(
    'this would grant permissions that you do not hold yourself: videos:write, videos:delete',
  )
  // The answer is that for an organization that does not exist.
  const nowhere = 'org_00000000000000000000000000'
  for (const orgId of [theirs.orgId, nowhere])
    for (const address of [policies(orgId), `/organization/${orgId}/projects`])
      for (const api of [reader, member.api, mine.owner])
        expect((await api.get(address)).body, address).toEqual({ code: 403, error: 'Forbidden' })
})

test('what is not one of several values hears which there are', async () => {
  const { api, seed, tokenFor } = await composeForTest()
  const owner = api.as(bearer(await tokenFor(seed.owner_email)))
  expect(
    (await api.post('/videos/upload/init', { file_name: 'a', video_quality: 'best' })).body.details,
  ).toMatch(/^body\.video_quality: must be one of basic, shorts, pro\b/)
  expect((await api.get('/analytics/v1/dashboard?interval=year')).body.details).toBe(
    'query.interval: must be one of hour, day, week, month',
  )
  const policies = `/auth/v1/memberships/${seed.org_id}/policies`
  const { id } = (await owner.post(policies, { name: 'p', permissions: [] })).body
  const attach = async (identity_type: string, identity_id: string) =>
    (await owner.post(`${policies}/${id}/attachments`, { identity_type, identity_id })).body.details
  expect(await attach('ROBOT', 'user_00000000000000000000000000')).toBe(
    'body.identity_type: must be one of POLICY_IDENTITY_TYPE_USER, POLICY_IDENTITY_TYPE_API_KEY',
  )
  for (const type of ['POLICY_IDENTITY_TYPE_USER', 'POLICY_IDENTITY_TYPE_API_KEY'])
    expect(await attach(type, 'nobody')).toBe('body.identity_id: is malformed')
  expect((await api.get('/analytics/v1/top/videos?limit=500')).body.details).toBe(
    'query.limit: must be between 1 and 100',
  )
})

test('a duration that is too long hears that, one in another form how it is written', async () => {
  const { api } = await composeForTest()
  const sent = async (watch_duration_ms: string) => {
    const event = { timestamp: '2026-11-02T10:00:00Z', content_view: { watch_duration_ms } }
    return (await api.post('/analytics/v1/events', { events: [event] })).body.details
  }
  const place = 'events[0].content_view.watch_duration_ms: must be'
  expect(await sent('315576000001s')).toBe(`${place} at most 315576000000s`)
  expect(await sent(`${'9'.repeat(400)}s`)).toBe(`${place} at most 315576000000s`)
  expect(await sent('12')).toContain(`${place} seconds with up to nine further digits`)
})

test('an id in upper case is malformed, not unknown', async () => {
  const { api } = await composeForTest()
  const { id } = (await api.post('/feeds', { name: 'news' })).body
  expect((await api.get(`/feeds/${id}`)).status).toBe(200)
  const shouted = `feed_${id.slice(5).toUpperCase()}`
  expect((await api.get(`/feeds/${shouted}`)).body).toEqual({
    code: 400,
    error: 'Invalid feed ID or query parameters',
    details: 'params.feedId: is malformed',
  })
  expect((await api.as({}).get(`/posts/v1/feeds/${id}/${`post_${id.slice(5).toUpperCase()}`}`)).status).toBe(
    400,
  )
})

test('a refresh token says whether it was used before or signed out', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const anybody = service.api.as({})
  const refresh = (refresh_token: string) => anybody.post('/auth/v1/token', { refresh_token })
  const signIn = async () =>
    (await anybody.post('/auth/v1/login', { email: 'owner@acme.example', password: PASSWORD })).body
  const first = await signIn()
  await anybody.as(bearer(first.access_token)).post('/auth/v1/logout')
  expect((await refresh(first.refresh_token)).body).toEqual({
    code: 401,
    error: 'Unauthorized',
    details: 'signed out; sign in again',
  })
  const second = await signIn()
  const next = (await refresh(second.refresh_token)).body
  expect((await refresh(second.refresh_token)).body.details).toBe(
    'the refresh token was used before; sign in again',
  )
  // Which ended it for whoever had the next one.
  expect((await refresh(next.refresh_token)).body.details).toBe('signed out; sign in again')
})

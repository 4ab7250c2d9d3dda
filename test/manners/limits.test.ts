import { expect, test } from 'vitest'
import { changePlan } from '../../server/access/organizations/organizations.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { scene } from '../fixtures/images.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'
import { addTenant } from '../support/world.ts'

async function worldWithClock(env: Record<string, string> = {}) {
  const time = { now: Date.now() }
  const service = await composeForTest({ clock: () => time.now, env })
  return { time, service }
}

test('a key has 1,000 requests a minute, whatever the plan', async () => {
  const { time, service } = await worldWithClock()
  const { secretKey } = await addTenant(service, 'acme', 'custom')
  const caller = service.api.as(key(secretKey))
  const first = await caller.get('/project')
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=60')
  expect(first.headers.get('ratelimit')).toBe('"key";r=999;t=60')
  for (let i = 0; i < 999; i++) expect((await caller.get('/auth/v1/policies/permissions')).status).toBe(200)
  const refused = await caller.get('/project')
  expect(refused.body).toEqual({
    code: 429,
    error: 'Too Many Requests',
    details: '1000 requests a minute are used up; try again in 60 s',
  })
  expect(refused.headers.get('retry-after')).toBe('60')
  expect(refused.headers.get('ratelimit')).toBe('"key";r=0;t=60')
  // The other key of the project has its own.
  expect((await service.api.get('/project')).status).toBe(200)
  time.now += 60_000
  expect((await caller.get('/project')).status).toBe(200)
})

test('free: 10 a minute and 100 an hour, counted for the organization', async () => {
  const { time, service } = await worldWithClock()
  const { orgId, projectId, owner, secretKey } = await addTenant(service, 'acme', 'custom')
  const second = await owner.post(`/organizations/${orgId}/api-keys/v1`, {
    name: 'second',
    project_id: projectId,
  })
  await changePlan(OPERATOR, orgId, 'free', service.sql)
  const callers = [service.api.as(key(secretKey)), service.api.as(key(second.body.api_key.secret))]
  const statuses = async (count: number) => {
    const seen = []
    for (let i = 0; i < count; i++) seen.push((await callers[i % 2]!.get('/project')).status)
    return seen
  }
  const answer = await callers[0]!.get('/project')
  expect(answer.headers.get('ratelimit-policy')).toBe(
    '"key";q=1000;w=60, "hour";q=100;w=3600, "minute";q=10;w=60',
  )
  expect(answer.headers.get('ratelimit')).toBe('"key";r=999;t=60, "hour";r=99;t=3600, "minute";r=9;t=60')
  expect(await statuses(10)).toEqual([...Array(9).fill(200), 429])
  for (let minute = 1; minute < 10; minute++) {
    time.now += 60_000
    expect(await statuses(11)).toEqual([...Array(10).fill(200), 429])
  }
  time.now += 60_000
  const hourly = await callers[0]!.get('/project')
  expect(hourly.status).toBe(429)
  expect(hourly.headers.get('retry-after')).toBe('3000')
  time.now += 3000_000
  expect((await callers[0]!.get('/project')).status).toBe(200)
})

test('pro: 50 a minute; a change of plan counts at once', async () => {
  const { service } = await worldWithClock()
  const { orgId, secretKey } = await addTenant(service, 'acme', 'custom')
  await changePlan(OPERATOR, orgId, 'pro', service.sql)
  const caller = service.api.as(key(secretKey))
  for (let i = 0; i < 50; i++) expect((await caller.get('/project')).status).toBe(200)
  expect((await caller.get('/project')).status).toBe(429)
  await changePlan(OPERATOR, orgId, 'custom', service.sql)
  expect((await caller.get('/project')).status).toBe(200)
})

test('limits are configuration', async () => {
  const { service } = await worldWithClock({
    MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
    MARQUEE_LIMIT_CUSTOM_PER_MINUTE: '2',
    MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '3',
  })
  const answer = await service.api.get('/project')
  expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=2;w=60')
  await service.api.get('/project')
  expect((await service.api.get('/project')).status).toBe(429)
  const exchange = () => service.api.as({}).post('/platform/auth/v1/token', { api_key: 'x' })
  for (let i = 0; i < 3; i++) expect((await exchange()).status).toBe(401)
  expect((await exchange()).status).toBe(429)
})

test('what asks for no credential does not count; a refused request is not counted', async () => {
  const { service } = await worldWithClock({ MARQUEE_LIMIT_CUSTOM_PER_MINUTE: '2' })
  for (let i = 0; i < 5; i++) expect((await service.api.get('/healthz')).headers.get('ratelimit')).toBeNull()
  for (let i = 0; i < 5; i++)
    expect((await service.api.as(key('mq_sk_wrong')).get('/project')).status).toBe(401)
  expect((await service.api.get('/project')).headers.get('ratelimit')).toBe(
    '"key";r=999;t=60, "minute";r=1;t=60',
  )
})

test('a user of two organizations pays with the plan of the project they name', async () => {
  const { service } = await worldWithClock()
  const rich = await addTenant(service, 'rich', 'custom')
  const poor = await addTenant(service, 'poor', 'custom')
  await changePlan(OPERATOR, poor.orgId, 'free', service.sql)
  const [both] = await service.sql`select id from users where email = 'owner@rich.example'`
  await service.sql`insert into memberships (org_id, user_id, role) values (${poor.orgId}, ${both!.id}, 'owner')`
  const of = (projectId: string) => rich.owner.get('/project', { 'x-project-id': projectId })
  for (let i = 0; i < 10; i++) expect((await of(poor.projectId)).status).toBe(200)
  expect((await of(poor.projectId)).status).toBe(429)
  expect((await of(rich.projectId)).status).toBe(200)
  // Naming no project does not get around it.
  expect((await rich.owner.get('/project')).status).toBe(429)
})

test('delivery has a ceiling of its own, for each client address, and takes nothing from the plan', async () => {
  const { time, service } = await worldWithClock({
    MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '3',
    MARQUEE_LIMIT_CUSTOM_PER_MINUTE: '5',
  })
  const { body } = await uploaderOf(service.api).upload(await scene(64, 40).png().toBuffer())
  const media = () => fetch(local(body.file.url))
  const first = await media()
  expect(first.headers.get('ratelimit-policy')).toBe('"delivery";q=3;w=60')
  expect(first.headers.get('ratelimit')).toBe('"delivery";r=2;t=60')
  expect([(await media()).status, (await media()).status]).toEqual([200, 200])
  const refused = await media()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  // Two of five were used up, by init and complete.
  expect((await service.api.get('/project')).headers.get('ratelimit')).toContain('"minute";r=2;t=60')
  time.now += 60_000
  expect((await media()).status).toBe(200)
})

import { expect, test } from 'vitest'
import { noteFailed } from '../../server/access/requests/note-failed.ts'
import type { OrganizationId } from '../../server/base/ids.ts'
import { permissionSet } from '../../server/base/permissions.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addMember, addTenant } from '../support/world.ts'

const UNKNOWN = '/videos/vid_00000000000000000000000000'
const listOf = (orgId: string) => `/organizations/${orgId}/requests/v1/failed`

test('what failed is listed with who asked, in what words it was refused, and no secret', async () => {
  const service = await composeForTest()
  const mine = await addTenant(service, 'mine')
  const theirs = await addTenant(service, 'theirs')
  const byKey = mine.owner.as(key(mine.secretKey))

  const missing = await byKey.get(`${UNKNOWN}?token=hunter2`)
  await byKey.post('/videos/upload/init', { file_name: 7, password: 'hunter2' })
  await byKey.get('/videos')
  await byKey.get(`/videos/${mine.secretKey}`)
  await mine.owner.get(`/organizations/${mine.orgId}/projects/v1/proj_00000000000000000000000000`)
  // Nobody known, and somebody who has no business here.
  await service.api.as(key(`${mine.secretKey}x`)).get('/videos')
  await service.api.as(bearer('hunter2')).get(UNKNOWN)
  await theirs.owner.get(listOf(mine.orgId))

  const list = async () => (await mine.owner.get(listOf(mine.orgId))).body
  // Where there are several processes, each writes down its own in a moment.
  const pagination = { limit: 25, offset: 0, total: 4 }
  await expect.poll(async () => (await list()).pagination).toEqual(pagination)
  const body = await list()
  const [project, malformed, invalid, unknown] = body.data
  expect(unknown).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    request_id: missing.headers.get('x-request-id'),
    method: 'GET',
    route: '/videos/{videoId}',
    path: UNKNOWN,
    status: 404,
    error: 'Video not found',
    key_id: mine.secretKeyId,
    duration_ms: expect.any(Number),
  })
  expect(invalid).toMatchObject({
    method: 'POST',
    status: 400,
    details: expect.stringContaining('file_name'),
  })
  expect(malformed).toMatchObject({ path: '/videos/…', status: 400, error: 'Invalid video ID' })
  expect(project).toMatchObject({ status: 404, user_id: expect.stringMatching(/^user_/) })
  expect(project.key_id).toBeUndefined()
  expect((await mine.owner.get(`${listOf(mine.orgId)}?limit=1&offset=3`)).body.data).toEqual([unknown])

  // A key sees those of its project's keys.
  const ofProject = (await byKey.get(listOf(mine.orgId))).body
  expect(ofProject.pagination.total).toBe(3)
  const [refused] = (await theirs.owner.get(listOf(theirs.orgId))).body.data
  expect(refused).toMatchObject({ status: 403, error: 'Forbidden' })
  const stored = JSON.stringify(await service.sql`select * from failed_requests`)
  for (const secret of ['hunter2', mine.secretKey, 'mq_sk']) expect(stored).not.toContain(secret)

  const powerless = await addMember(service, mine, 'member@mine.example', ['videos:read'])
  expect((await powerless.api.get(listOf(mine.orgId))).body.details).toBe('needs keys:read')
})

test('who belongs to several organizations fails in the one that they name', async () => {
  const service = await composeForTest()
  const [one, two] = [await addTenant(service, 'one'), await addTenant(service, 'two')]
  await service.sql`
    insert into memberships (org_id, user_id, role)
    select ${two.orgId}, user_id, role from memberships where org_id = ${one.orgId}`
  await one.owner.get(UNKNOWN)
  const inTwo = one.owner.as({ ...bearer(one.ownerToken), 'x-project-id': two.projectId })
  await inTwo.get(UNKNOWN)
  await one.owner.get(`/organizations/${one.orgId}/projects/v1/proj_00000000000000000000000000`)
  const routes = async (orgId: string) =>
    (await one.owner.get(listOf(orgId))).body.data.map(({ route }: { route: string }) => route)
  expect(await routes(two.orgId)).toEqual(['/videos/{videoId}'])
  expect(await routes(one.orgId)).toEqual(['/organizations/{org_id}/projects/v1/{project_id}'])
})

test('a flood stays bounded: the last of each are kept, and nobody is crowded out', async () => {
  const { sql, seed } = await composeForTest()
  const troubles: unknown[] = []
  const requests = noteFailed(sql, (error) => troubles.push(error))
  const orgId = seed.org_id as OrganizationId
  const fail = (id: string, organization = orgId, details?: string) =>
    requests.note({
      id,
      method: 'GET',
      route: '/videos/:videoId',
      path: '/videos/x',
      status: 400,
      error: 'Bad Request',
      details,
      ms: 1,
      caller: {
        kind: 'user',
        id: 'user_00000000000000000000000000' as never,
        grants: [{ orgId: organization, plan: 'free', permissions: permissionSet([]) }],
      },
    })
  const kept = async () =>
    (
      await sql<
        { request_id: string }[]
      >`select request_id from failed_requests where org_id = ${orgId} order by id`
    ).map(({ request_id }) => request_id)

  // Those of organizations that are gone are left out; what a database does not take is taken out of it.
  for (let i = 0; i < 100_000; i++) fail(String(i), `org_${i % 1000}` as OrganizationId)
  await requests.flush()
  expect(await kept()).toEqual([])
  for (let i = 0; i < 100_000; i++) fail(String(i), undefined, 'nul \0 and half \ud800')
  await requests.flush()
  expect(await kept()).toEqual(Array.from({ length: 50 }, (_, i) => String(99_950 + i)))
  for (let round = 0; round < 11; round++) {
    for (let i = 0; i < 50; i++) fail(`${round}.${i}`)
    await requests.flush()
  }
  expect(await kept()).toHaveLength(500)
  expect((await kept())[0]).toBe('1.0')
  await requests.close()
  expect(troubles).toEqual([])
})

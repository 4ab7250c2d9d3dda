import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { changePlan } from '../../server/access/organizations/organizations.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { bearer, key } from '../support/api.ts'
import { type Installation, startInstallation } from '../support/scale/installation.ts'

const PER_MINUTE = 10
const FREE = '"hour";q=100;w=3600, "minute";q=10;w=60'
let installation: Installation
let sql: Sql
beforeAll(async () => {
  installation = await startInstallation({
    env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' },
  })
  sql = connect({ url: installation.databaseUrl }, { max: 1 })
})
afterAll(async () => {
  await sql.end()
  await installation.stop()
})

/** The first organization's app, as it calls each of the processes that answer. */
const onEach = (secret = installation.quickstart.api_key) =>
  installation.apis.map(({ api }) => api.as(key(secret)))

test('what a key is allowed in a minute, it is allowed of all processes together', async () => {
  const env = { MARQUEE_LIMIT_KEY_PER_MINUTE: String(PER_MINUTE) }
  const limited = await Promise.all([1, 2].map(() => installation.start('api', { env })))
  const statuses: number[] = []
  for (let i = 0; i < 2 * PER_MINUTE; i++) {
    const api = limited[i % 2]!.api.as(key(installation.quickstart.api_key))
    statuses.push((await api.get('/project')).status)
  }
  const each = (status: number) => Array.from({ length: PER_MINUTE }, () => status)
  expect(statuses).toEqual([...each(200), ...each(429)])
  await Promise.all(limited.map((service) => service.stop()))
})

test('a key that is revoked, and a plan that is changed, hold everywhere', async () => {
  const { org_id, project_id, access_token } = installation.quickstart
  const owner = installation.apis[0]!.api.as(bearer(access_token))
  const keys = `/organizations/${org_id}/api-keys/v1`
  const made = (await owner.post(keys, { name: 'goes', project_id })).body.api_key
  for (const api of onEach(made.secret)) expect((await api.get('/project')).status).toBe(200)
  await owner.delete(`${keys}/${made.id}`)
  for (const api of onEach(made.secret)) expect((await api.get('/project')).status).toBe(401)

  // Each reads the plan with every request, so that it holds once the change is acknowledged.
  const allowed = () =>
    Promise.all(
      onEach().map(async (api) => {
        const { headers, body } = await api.get('/project')
        return { storage: body.storage_limit, policy: headers.get('ratelimit-policy') }
      }),
    )
  const before = await allowed()
  await changePlan(OPERATOR, org_id, 'free', sql)
  onTestFinished(async () => {
    await changePlan(OPERATOR, org_id, 'custom', sql)
  })
  const free = await allowed()
  expect(free).toEqual(before.map(() => ({ storage: expect.any(Number), policy: FREE })))
  for (const { storage } of free) expect(storage).toBeLessThan(before[0]!.storage)
  // Nobody has as many requests left as the plan before gave them.
  const [one] = onEach()
  while ((await one!.get('/project')).status === 200);
  for (const api of onEach()) expect((await api.get('/project')).status).toBe(429)

  await changePlan(OPERATOR, org_id, 'custom', sql)
  expect(await allowed()).toEqual(before)
})

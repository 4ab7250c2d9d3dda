import { expect, onTestFinished, test } from 'vitest'
import { bearer, key } from '../support/api.ts'
import { startPostgres } from '../support/postgres.ts'
import { discard, emptyDataDir, startService } from '../support/service.ts'
import { startTwoServices } from '../support/two-services.ts'

test('two processes on one PostgreSQL: what one revokes or suspends, the other refuses at once', async () => {
  const { one, two } = await startTwoServices()
  const { org_id, project_id, access_token } = one.quickstart
  const owner = one.api.as(bearer(access_token))
  const keys = `/organizations/${org_id}/api-keys/v1`

  for (let i = 0; i < 20; i++) {
    const made = await owner.post(keys, { name: `key ${i}`, project_id })
    const onTwo = two.api.as(key(made.body.api_key.secret))
    expect((await onTwo.get('/project')).body.id).toBe(project_id)
    await owner.delete(`${keys}/${made.body.api_key.id}`)
    expect((await onTwo.get('/project')).status).toBe(401)
  }
  const login = { email: one.quickstart.owner_email, password: one.quickstart.owner_password }
  const { body } = await two.api.as({}).post('/auth/v1/login', login)
  expect((await one.api.as(bearer(body.access_token)).get('/auth/v1/users/current')).status).toBe(200)
  await two.api.as(bearer(body.access_token)).post('/auth/v1/logout')
  expect((await one.api.as(bearer(body.access_token)).get('/auth/v1/users/current')).status).toBe(401)

  const base = `/auth/v1/memberships/${org_id}`
  const policy = await owner.post(`${base}/policies`, { name: 'readers', permissions: ['*:read'] })
  const invitation = { email: 'member@new.example', policy_ids: [policy.body.id] }
  const { token } = (await owner.post(`${base}/invite`, invitation)).body
  const accepted = await two.api
    .as({})
    .post('/auth/v1/invitations/accept', { token, password: 'a long enough one' })
  const member = two.api.as(bearer(accepted.body.access_token))
  const { id } = (await member.get('/auth/v1/users/current')).body
  const projects = async () => (await member.get(`/organization/${org_id}/projects`)).status
  for (let i = 0; i < 5; i++) {
    expect(await projects()).toBe(200)
    await owner.patch(`${base}/members/${id}/status`, { status: 'suspended' })
    expect(await projects()).toBe(403)
    await owner.patch(`${base}/members/${id}/status`, { status: 'active' })
  }
})

test('two first starts at once on one PostgreSQL make one organization', async () => {
  const postgres = await startPostgres()
  const env = { MARQUEE_DATABASE_URL: postgres.url }
  const folders = [emptyDataDir(), emptyDataDir()]
  const services = await Promise.allSettled(folders.map((dataDir) => startService({ dataDir, env })))
  const running = services.filter((s) => s.status === 'fulfilled').map((s) => s.value)
  onTestFinished(async () => {
    await Promise.all(running.map((service) => service.stop()))
    await postgres.stop()
    folders.forEach(discard)
  })
  expect(running).toHaveLength(2)
  expect(await postgres.sql`select id from organizations`).toHaveLength(1)
  expect(running.filter((service) => service.quickstart.api_key)).toHaveLength(1)
})

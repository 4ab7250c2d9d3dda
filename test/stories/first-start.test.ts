import { statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { bearer } from '../support/api.ts'
import { browserAt, SESSION, tokenOf } from '../support/page-browser.ts'
import { discard, freshDataDir, serviceForTest, startService } from '../support/service.ts'
import { deliver, STANDARD_SECRET, standardSigned } from '../support/webhooks.ts'

test('a first start makes all that is needed to begin, and says so', async () => {
  const service = await serviceForTest()
  const { quickstart, api } = service

  const project = await api.get('/project')
  expect(project.status).toBe(200)
  expect(project.body).toEqual({
    id: quickstart.project_id,
    name: 'My project',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    storage_used: 0,
    storage_limit: 10 * 2 ** 40,
  })
  const projects = await api
    .as(bearer(quickstart.access_token))
    .get(`/organization/${quickstart.org_id}/projects`)
  expect(projects.body).toEqual({
    projects: [
      {
        id: quickstart.project_id,
        name: 'My project',
        org_id: quickstart.org_id,
        custom_domain: '',
        regions: [],
        video_quality: 'basic',
        created_at: project.body.created_at,
        updated_at: project.body.created_at,
      },
    ],
  })
  const signIn = { email: quickstart.owner_email, password: quickstart.owner_password }
  expect((await api.as({}).post('/auth/v1/login', signIn)).status).toBe(200)
  expect(statSync(path.join(service.dataDir, 'quickstart.json')).mode & 0o777).toBe(0o600)
})

test('the first secret opens the payment webhook, until settings name another', async () => {
  const dataDir = freshDataDir()
  const body = JSON.stringify({ type: 'subscription.created', data: { plan: 'pro' } })
  const first = await startService({ dataDir })
  const secret = first.quickstart.webhook_secret
  const signed = standardSigned(body, { secret })
  expect(await deliver(first.url, signed)).toMatchObject({ status: 200, body: { status: 'received' } })
  expect(await deliver(first.url, signed)).toMatchObject({ status: 200, body: { status: 'duplicate' } })
  expect(await deliver(first.url, standardSigned(body))).toMatchObject({ status: 400 })
  await first.stop()

  const env = {
    MARQUEE_BILLING_PROVIDERS: 'payments=standard-webhooks,other=stripe',
    MARQUEE_BILLING_SECRETS: `payments=${STANDARD_SECRET}`,
  }
  const second = await serviceForTest({ dataDir, env })
  expect(await deliver(second.url, standardSigned(body, { secret }))).toMatchObject({ status: 400 })
  expect(await deliver(second.url, standardSigned(body))).toMatchObject({ body: { status: 'received' } })
  expect(second.output()).toContain('the payment provider other has no secret in MARQUEE_BILLING_SECRETS')
})

test('the printed curl line answers', async () => {
  const service = await serviceForTest()
  const line = service.output().match(/curl -H '(X-API-Key: \S+)' (\S+)/)!
  const response = await fetch(line[2]!, { headers: { 'x-api-key': line[1]!.split(' ')[1]! } })
  expect(await response.json()).toMatchObject({ id: service.quickstart.project_id })
})

test('the printed link signs the owner in, once', async () => {
  const service = await serviceForTest()
  const link = /Sign in +(\S+)/.exec(service.output())![1]!
  expect(link).toMatch(/^http:\/\/localhost:\d+\/console\/sign-in#link=[\w-]{43}$/)
  const [here, there] = [browserAt(service), browserAt(service)]
  const signedIn = await here.send('POST', `${SESSION}/link`, { link: tokenOf(link) })
  const me = await service.api.as(bearer(signedIn.body.access_token)).get('/auth/v1/users/current')
  expect(me.body).toMatchObject({ email: service.quickstart.owner_email, organizations: [{ role: 'owner' }] })
  expect((await here.renew()).status).toBe(200)
  expect((await there.send('POST', `${SESSION}/link`, { link: tokenOf(link) })).status).toBe(401)
})

test('later starts keep everything and refresh the token', async () => {
  const dataDir = freshDataDir()
  const first = await startService({ dataDir })
  expect(await first.stop()).toBe(0)
  const second = await startService({ dataDir })
  const { access_token: before, base_url: _b, upload_url: _u, cdn_url: _c, ...kept } = first.quickstart
  expect(second.quickstart).toMatchObject(kept)
  expect(second.quickstart.access_token).not.toBe(before)
  expect((await second.api.get('/project')).status).toBe(200)
  expect(second.output()).not.toContain(kept.api_key)
  // Nobody has signed in yet, and the link of the first start may be lost.
  expect(second.output()).toMatch(/Sign in +\S+#link=/)
  const lifetime = JSON.parse(
    Buffer.from(second.quickstart.access_token.split('.')[1]!, 'base64url').toString(),
  )
  expect(lifetime.exp - lifetime.iat).toBe(24 * 3600)
  await second.stop()
  discard(dataDir)
})

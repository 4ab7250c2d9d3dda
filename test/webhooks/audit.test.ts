import { expect, test } from 'vitest'
import { forgetAudit } from '../../server/access/index.ts'
import { changePlan } from '../../server/access/organizations/organizations.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { loadConfig } from '../../server/config/config.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { deliver, PROVIDERS, standardEvent, standardSigned } from '../support/webhooks.ts'
import { addMember, addTenant } from '../support/world.ts'

interface Entry {
  id: string
  action: string
}

test('who changed what is in the audit log, from where and when, for those of the organization', async () => {
  const service = await composeForTest()
  const { sql } = service
  const tenant = await addTenant(service, 'audited')
  const { owner, orgId, projectId } = tenant
  const path = `/organizations/${orgId}/audit/v1`
  const { body: before } = await owner.get(path)
  const actionsOf = (entries: Entry[]) => entries.map(({ action }) => action)
  expect(new Set(actionsOf(before.data))).toEqual(
    new Set(['key.created', 'project.created', 'member.joined']),
  )

  const keys = `/organizations/${orgId}/api-keys/v1`
  const made = await owner.post(keys, { name: 'Backend', project_id: projectId })
  const keyId = made.body.api_key.id
  await owner.post(`${keys}/${keyId}/rotate`, { grace_seconds: 60 })
  await owner.delete(`${keys}/${keyId}`)
  const memberships = `/auth/v1/memberships/${orgId}`
  const invited = await owner.post(`${memberships}/invite`, { email: 'new@audited.example' })
  const { body: invitations } = await owner.get(`${memberships}/invitations`)
  expect(invited.status).toBeLessThan(300)
  await owner.delete(`${memberships}/invitations/${invitations.invitations[0].id}`)
  const member = await addMember(service, tenant, 'member@audited.example', ['videos:read'])
  const { body: policies } = await owner.get(`${memberships}/policies`)
  const policy = `${memberships}/policies/${policies.policies[0].id}`
  const { body: attached } = await owner.get(`${policy}/attachments`)
  const [attachment] = attached.attachments
  expect((await owner.put(policy, { description: 'of one' })).status).toBe(200)
  await owner.delete(`${memberships}/policies/attachments/${attachment.id}`)
  await owner.delete(policy)
  const ofMember = `${memberships}/members/${member.id}`
  await owner.patch(`${ofMember}/role`, { role: 'owner' })
  await owner.patch(`${ofMember}/status`, { status: 'suspended' })
  await owner.delete(ofMember)
  const signingKeys = `/organizations/${orgId}/signing-keys/v1`
  const signing = await owner.post(signingKeys, { project_id: projectId, name: 'Player' })
  await owner.delete(`${signingKeys}/${signing.body.signing_key.id}`)
  const hooks = `/organizations/${orgId}/webhooks/v1`
  const hook = await owner.post(hooks, { project_id: projectId, url: 'https://app.example.com/hook' })
  const one = `${hooks}/${hook.body.webhook.id}`
  await owner.patch(one, { description: 'ours' })
  await owner.post(`${one}/rotate`)
  await owner.delete(one)
  await owner.patch(`/organizations/${orgId}/projects/v1/${projectId}/name`, { name: 'Renamed' })
  await changePlan(OPERATOR, orgId, 'pro', sql)
  const projects = `/organizations/${orgId}/projects/v1`
  const second = await owner.post(projects, { name: 'Second' })
  await owner.delete(`${projects}/${second.body.id}?confirm=Second`)

  const happened = [
    'key.created',
    'key.rotated',
    'key.revoked',
    'member.invited',
    'member.invitation_withdrawn',
    'member.joined',
    'policy.created',
    'policy.attached',
    'policy.changed',
    'policy.detached',
    'policy.deleted',
    'member.role_changed',
    'member.status_changed',
    'member.removed',
    'signing_key.created',
    'signing_key.deleted',
    'webhook.created',
    'webhook.changed',
    'webhook.secret_rotated',
    'webhook.deleted',
    'project.changed',
    'plan.changed',
    'project.created',
    'project.deleted',
  ]
  // By cursor, while more is written: nothing comes twice, and nothing is left out.
  const seen: Entry[] = []
  for (let cursor: string | undefined; ; ) {
    const { body } = await owner.get(`${path}?limit=5${cursor ? `&cursor=${cursor}` : ''}`)
    seen.push(...body.data)
    cursor = body.pagination.next_cursor
    if (!cursor) break
    await changePlan(OPERATOR, orgId, seen.length % 2 ? 'custom' : 'pro', sql)
    await owner.post(keys, { name: 'Meanwhile', project_id: projectId })
  }
  expect(actionsOf(seen)).toEqual([...happened.toReversed(), ...actionsOf(before.data)])
  const entryOf = (action: string) => seen.find((entry) => entry.action === action)
  expect(entryOf('key.rotated')).toMatchObject({
    actor: expect.stringMatching(/^user_/),
    actor_name: 'owner@audited.example',
    address: '127.0.0.1',
    at: expect.stringMatching(/^2.+Z$/),
    resource: keyId,
    resource_name: 'Backend',
    project_id: projectId,
  })
  expect(entryOf('plan.changed')).toMatchObject({
    actor: 'operator',
    before: { plan: 'custom' },
    after: { plan: 'pro' },
  })
  expect(entryOf('policy.changed')).toMatchObject({ after: { description: 'of one' } })
  expect(entryOf('member.role_changed')).toMatchObject({
    before: { role: 'member' },
    after: { role: 'owner' },
  })
  expect(entryOf('webhook.changed')).toMatchObject({
    before: { description: '' },
    after: { description: 'ours' },
  })
  expect(JSON.stringify(seen)).not.toMatch(/whsec_|mq_sk_|private_key/)
  expect((await owner.get(`${path}?resource=${keyId}`)).body.pagination.total).toBe(3)
  expect((await service.api.get(path)).status).toBe(403)
  expect((await service.api.as(bearer('nobody')).get(path)).status).toBe(401)

  // Nobody changes it, or takes from it before its time, not even by the database; what is a year old goes.
  for (const change of [
    () => sql`update audit_entries set actor = 'nobody'`,
    () => sql`delete from audit_entries where org_id = ${orgId}`,
    () => sql`truncate audit_entries`,
  ])
    await expect(change()).rejects.toThrow('only added to')
  const { auditKeepSeconds } = loadConfig({})
  expect(auditKeepSeconds).toBe(365 * 86400)
  const addOld = (resource: string, seconds: number) => sql`
    insert into audit_entries (org_id, actor, action, resource, at)
    values (${orgId}, 'operator', 'key.created', ${resource}, now() - make_interval(secs => ${seconds}))`
  await addOld('key_old', auditKeepSeconds + 60)
  await addOld('key_kept', auditKeepSeconds - 60)
  const { body: all } = await owner.get(path)
  await forgetAudit(sql, auditKeepSeconds)
  const left = await owner.get(path)
  expect(left.body.pagination.total).toBe(all.pagination.total - 1)
  expect((await owner.get(`${path}?resource=key_kept`)).body.pagination.total).toBe(1)
})

test('a plan that a payment changes, and a secret that a key rotates, are in it; it is filtered by all that it offers', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId, projectId, owner, ownerToken, secretKey, secretKeyId } = await addTenant(
    service,
    'paying',
    'free',
  )
  const byKey = service.api.as(key(secretKey))
  const path = `/organizations/${orgId}/audit/v1` as const
  const paid = standardEvent('subscription.created', { org_id: orgId, plan: 'pro' })
  expect((await deliver(service.url, standardSigned(paid))).status).toBe(200)
  const secret = (await byKey.get('/images/signing-secret')).body.secret
  const rotated = await byKey.post('/images/signing-secret/rotate')
  expect(rotated.body.secret).not.toBe(secret)

  const found = async (query: string) => {
    const { status, body } = await owner.get(`${path}?${query}`)
    expect([status, body.pagination.total], query).toEqual([200, body.data.length])
    return body.data
  }
  const [last, before] = (await owner.get(path)).body.data
  expect(last).toMatchObject({
    action: 'project.image_secret_rotated',
    actor: secretKeyId,
    address: '127.0.0.1',
    resource: projectId,
    project_id: projectId,
  })
  expect(JSON.stringify(last)).not.toContain(rotated.body.secret)
  expect(before).toMatchObject({
    action: 'plan.changed',
    actor: 'billing',
    resource: orgId,
    before: { plan: 'free' },
    after: { plan: 'pro' },
  })
  expect(await found('action=plan.changed')).toEqual([before])
  expect(await found('actor=billing')).toEqual([before])
  expect(await found(`actor=${secretKeyId}`)).toEqual([last])
  const { sub } = JSON.parse(atob(ownerToken.split('.')[1]!))
  const byOwner = await found(`actor=${sub}&action=key.created`)
  expect(byOwner.map(({ resource }) => resource)).toContain(secretKeyId)
  expect(await found(`actor=${sub}&action=key.created&resource=${secretKeyId}`)).toHaveLength(1)
  expect(await found(`actor=billing&action=key.created`)).toEqual([])
  expect(await found(`actor=${encodeURIComponent("' or true --")}`)).toEqual([])
  expect((await owner.get(`${path}?action=nothing.happened`)).status).toBe(400)
})

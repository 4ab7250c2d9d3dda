import { expect, onTestFinished, test } from 'vitest'
import { proveAddress } from '../../server/access/index.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { bearer } from '../support/api.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { composeForTest } from '../support/in-process.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { tokenOf } from '../support/page-browser.ts'
import { linkIn, startSmtpServer, tokenIn } from '../support/smtp-server.ts'
import { addTenant, type Tenant } from '../support/world.ts'

test('who joins, and what an address that turns out to be theirs gives them, is in it, with where they came from', async () => {
  const [smtp, openId] = await Promise.all([startSmtpServer(), startOpenIdProvider()])
  onTestFinished(openId.close)
  const service = await composeForTest({
    env: {
      MARQUEE_SMTP_URL: smtp.url,
      MARQUEE_MAIL_FROM: 'media@example.com',
      MARQUEE_OIDC_ISSUER: openId.issuer,
      MARQUEE_OIDC_AUDIENCE: 'marquee client',
    },
  })
  const [acme, other] = [await addTenant(service, 'acme'), await addTenant(service, 'other')]
  const policies = `/auth/v1/memberships/${acme.orgId}/policies`
  const policy = await acme.owner.post(policies, { name: 'Editors', permissions: ['videos:read'] })
  const anybody = service.api.as({})
  const invite = (tenant: Tenant, email: string, how: object) =>
    tenant.owner.post(`/auth/v1/memberships/${tenant.orgId}/invite`, { email, ...how })
  const accept = (token: string) =>
    anybody.post('/auth/v1/invitations/accept', { token, password: 'a long enough one' })
  /** An account of acme’s that is good for acme only, for nobody has proved its address. */
  const plant = async (email: string) => {
    const invited = await invite(acme, email, { as_link: true, policy_ids: [policy.body.id] })
    expect((await accept(invited.body.token)).status).toBe(200)
  }
  const entriesOf = async (tenant: Tenant, email: string) => {
    const { body } = await tenant.owner.get(`/organizations/${tenant.orgId}/audit/v1?limit=100`)
    const users = await service.sql<{ id: string }[]>`select id from users where email = ${email}`
    const ids = new Set(users.map(({ id }) => id))
    const about = body.data.filter(
      (entry) =>
        entry.action !== 'member.invited' &&
        (entry.resource_name === email || ids.has(String(entry.after?.identity_id))),
    )
    return about.toReversed().map(({ action, resource, actor, address, user_agent }) => ({
      action,
      who: resource === policy.body.id ? 'policy' : ids.has(resource) ? 'stays' : 'gone',
      actor: ids.has(actor) ? 'themselves' : actor.startsWith('user_') ? 'gone' : actor,
      from: [address, typeof user_agent],
    }))
  }
  const here = ['127.0.0.1', 'string']
  const planted = (who: string) => [
    { action: 'member.joined', who, actor: who === 'gone' ? who : 'themselves', from: here },
  ]
  const attached = (actor: string, from: unknown[] = here) => ({
    action: 'policy.attached',
    who: 'policy',
    actor,
    from,
  })
  const takenOver = (actor: string, from: unknown[] = here) => [
    { action: 'member.joined', who: 'stays', actor, from },
    { action: 'member.removed', who: 'gone', actor, from },
    attached(actor, from),
  ]

  // Until its address is somebody's, it is as they are.
  await plant('bob@corp.example')
  expect(await entriesOf(acme, 'bob@corp.example')).toEqual([...planted('stays'), attached('themselves')])
  // By an invitation that was mailed.
  await invite(other, 'bob@corp.example', { role: 'owner' })
  expect((await accept(tokenIn(smtp.received.at(-1)!))).status).toBe(200)
  expect(await entriesOf(acme, 'bob@corp.example')).toEqual([...planted('gone'), ...takenOver('themselves')])
  expect(await entriesOf(other, 'bob@corp.example')).toEqual(planted('stays'))

  // By an OpenID issuer.
  await plant('eve@corp.example')
  const token = await openId.sign({ sub: 'eve', email: 'eve@corp.example', email_verified: true })
  expect((await service.api.as(bearer(token)).get('/auth/v1/users/current')).status).toBe(200)
  expect(await entriesOf(acme, 'eve@corp.example')).toEqual([...planted('gone'), ...takenOver('themselves')])

  // By a mailed link for a new password, and by an operator, for one account of two.
  for (const [email, prove] of [
    [
      'ann@corp.example',
      async () => {
        await anybody.post('/auth/v1/password-reset', { email: 'ann@corp.example' })
        await expect.poll(() => service.sql`select from jobs`).toHaveLength(0)
        const reset = { token: tokenOf(linkIn(smtp.received.at(-1)!)), password: 'another that is long' }
        expect((await anybody.post('/auth/v1/password-reset/complete', reset)).status).toBe(204)
        return ['themselves', here] as const
      },
    ],
    [
      'joe@corp.example',
      async () => {
        await proveAddress(OPERATOR, { email: 'joe@corp.example', orgId: other.orgId }, service.sql)
        return ['operator', [undefined, 'undefined']] as const
      },
    ],
  ] as const) {
    await plant(email)
    const second = await invite(other, email, { as_link: true })
    expect((await accept(second.body.token)).status).toBe(200)
    const [actor, from] = await prove()
    expect(await entriesOf(acme, email)).toEqual([...planted('gone'), ...takenOver(actor, [...from])])
  }
})

test('a domain that a project claims, proves, loses and gives up is in it', async () => {
  const dns = await startDnsServer()
  const service = await composeForTest({ env: { MARQUEE_DNS_SERVERS: dns.address } })
  const [acme, other] = [await addTenant(service, 'acme'), await addTenant(service, 'other')]
  const at = ({ orgId, projectId }: Tenant) =>
    `/organizations/${orgId}/projects/v1/${projectId}/custom-domain` as const
  const claim = (tenant: Tenant) => tenant.owner.put(at(tenant), { custom_domain: 'media.example' })
  const { custom_domain_record: record } = (await claim(acme)).body
  await claim(other)
  dns.texts.set(record!.name, [record!.value])
  await claim(acme)
  await acme.owner.delete(at(acme))
  const changesOf = async ({ owner, orgId, projectId }: Tenant) => {
    const { body } = await owner.get(
      `/organizations/${orgId}/audit/v1?action=project.changed&resource=${projectId}`,
    )
    return body.data.toReversed().map(({ actor, address, before, after }) => ({
      by: actor.replace(/^user_.*/, 'user'),
      address,
      before: Object.values(before!).join(' '),
      after: Object.values(after!).join(' '),
    }))
  }
  const byUser = { by: 'user', address: '127.0.0.1' }
  const claimed = { ...byUser, before: '', after: 'media.example pending' }
  expect(await changesOf(acme)).toEqual([
    claimed,
    { ...byUser, before: 'media.example pending', after: 'media.example verified' },
    { ...byUser, before: 'media.example verified', after: '' },
  ])
  // Nobody is told who of another organization has proved it.
  const lost = { by: 'dns', address: undefined, before: 'media.example pending', after: '' }
  expect(await changesOf(other)).toEqual([claimed, lost])
})

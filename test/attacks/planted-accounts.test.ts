import { expect, test } from 'vitest'
import { changePassword, createUser, proveAddress } from '../../server/access/users/users.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { bearer } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { startSmtpServer, tokenIn } from '../support/smtp-server.ts'
import { addTenant, type Tenant } from '../support/world.ts'

const BOB = 'bob@corp.example'
const PLANTED = 'chosen by another'
const OWN = 'chosen by bob himself'

function actorsOf(service: InProcess) {
  const anybody = service.api.as({})
  return {
    anybody,
    invite: (tenant: Tenant, body: object = {}) =>
      tenant.owner.post(`/auth/v1/memberships/${tenant.orgId}/invite`, { email: BOB, ...body }),
    accept: (token: string, password: string) =>
      anybody.post('/auth/v1/invitations/accept', { token, password }),
    login: (password: string, org_id?: string) =>
      anybody.post('/auth/v1/login', { email: BOB, password, org_id }),
    organizations: async (token: string) => {
      const { body } = await anybody.as(bearer(token)).get('/auth/v1/users/current')
      return body.organizations.map(({ name }: { name: string }) => name)
    },
  }
}

// A link that is asked for proves no more where the service could have mailed it.
test.each([false, true])(
  'an account that whoever invited made for themselves is worth nothing elsewhere, with mail: %s',
  async (isMailSetUp) => {
    const smtp = await startSmtpServer()
    const MAIL = { MARQUEE_SMTP_URL: smtp.url, MARQUEE_MAIL_FROM: 'media@example.com' }
    const service = await composeForTest(isMailSetUp ? { env: MAIL } : {})
    const mallory = await addTenant(service, 'mallory')
    const acme = await addTenant(service, 'acme')
    const { anybody, accept, login, organizations, ...actors } = actorsOf(service)
    const invite = (tenant: Tenant, body: object = {}) => actors.invite(tenant, { as_link: true, ...body })
    const planted = await accept((await invite(mallory)).body.token, PLANTED)
    expect(planted.status).toBe(200)

    // The real one is later invited as an owner, chooses a password, and is asked for no other.
    const joined = await accept((await invite(acme, { role: 'owner' })).body.token, OWN)
    expect(joined.status).toBe(200)
    expect(await organizations(joined.body.access_token)).toEqual(['acme'])
    expect(await organizations((await login(OWN)).body.access_token)).toEqual(['acme'])
    // The planted password still opens what it was planted in, and nothing else; refreshing does not change that.
    const again = await login(PLANTED)
    expect(await organizations(again.body.access_token)).toEqual(['mallory'])
    const refreshed = await anybody.post('/auth/v1/token', { refresh_token: again.body.refresh_token })
    for (const { body } of [planted, again, refreshed])
      expect(
        (await anybody.as(bearer(body.access_token)).get(`/organization/${acme.orgId}/projects`)).status,
      ).toBe(403)
    expect((await login(PLANTED, acme.orgId)).status).toBe(401)
    const members = await acme.owner.get(`/auth/v1/memberships/${acme.orgId}/members`)
    expect(members.body.members).toMatchObject([
      { email_verified: true },
      { email: BOB, email_verified: false },
    ])
  },
)

test('no account of one organization can be made a member of another', async () => {
  const service = await composeForTest()
  const mallory = await addTenant(service, 'mallory')
  const acme = await addTenant(service, 'acme')
  const { invite, accept } = actorsOf(service)
  await accept((await invite(mallory)).body.token, PLANTED)
  // The same password in both makes two accounts; the organization says which of them is meant.
  const { login, organizations } = actorsOf(service)
  expect((await accept((await invite(acme)).body.token, PLANTED)).status).toBe(200)
  for (const { name, orgId } of [
    { ...mallory, name: 'mallory' },
    { ...acme, name: 'acme' },
  ])
    expect(await organizations((await login(PLANTED, orgId)).body.access_token)).toEqual([name])
  expect(await service.sql`select from users where email = ${BOB}`).toHaveLength(2)
})

test('what an address hears does not tell whether it has an account', async () => {
  const service = await composeForTest()
  const acme = await addTenant(service, 'acme')
  await addTenant(service, 'other')
  const { accept, login } = actorsOf(service)
  const answers = []
  for (const email of ['owner@other.example', 'nobody@other.example']) {
    const { body } = await acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, { email })
    const weak = await accept(body.token, 'short')
    const accepted = await accept(body.token, PLANTED)
    const listed = await acme.owner.get(`/auth/v1/memberships/${acme.orgId}/members`)
    const member = listed.body.members.find((m: { email: string }) => m.email === email)
    answers.push({
      weak: weak.body,
      status: accepted.status,
      fields: Object.keys(accepted.body),
      verified: member!.email_verified,
    })
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toMatchObject({ status: 200, verified: false })
  // And the account that was there is as it was.
  expect((await login('a long enough one')).status).toBe(401)
  const owner = { email: 'owner@other.example', password: 'a long enough one' }
  expect((await service.api.as({}).post('/auth/v1/login', owner)).status).toBe(200)
})

test('where mail is set up, the token goes to the address alone, and proves it', async () => {
  const smtp = await startSmtpServer()
  const service = await composeForTest({
    env: { MARQUEE_SMTP_URL: smtp.url, MARQUEE_MAIL_FROM: 'Media <media@marquee.example>' },
  })
  const mallory = await addTenant(service, 'mallory')
  const acme = await addTenant(service, 'acme')
  const { anybody, invite, accept, login, organizations } = actorsOf(service)
  // From before mail was set up: its token is in mallory's hands.
  const planted = await invite(mallory)
  expect(planted.status).toBe(201)
  expect(planted.body).not.toHaveProperty('token')
  await service.sql`update invitations set mailed = false`
  const squatted = await accept(tokenIn(smtp.received[0]!), PLANTED)
  expect(await organizations(squatted.body.access_token)).toEqual(['mallory'])

  const invited = await invite(acme, { role: 'owner' })
  expect(JSON.stringify(invited.body)).not.toContain('token')
  expect(smtp.received).toHaveLength(2)
  const mail = smtp.received[1]!
  expect(mail).toMatchObject({ from: 'media@marquee.example', to: [BOB] })
  expect(mail.raw).toMatch(/^Subject: Invitation to acme$/m)
  const joined = await accept(tokenIn(mail), OWN)
  // Both organizations invited this address, and it is his now; what was planted is gone.
  expect(await organizations(joined.body.access_token)).toEqual(['mallory', 'acme'])
  expect((await login(PLANTED)).status).toBe(401)
  const current = anybody.as(bearer(squatted.body.access_token)).get('/auth/v1/users/current')
  expect((await current).status).toBe(401)

  // From now on there is an account to join with, by its password.
  const third = await addTenant(service, 'third')
  await invite(third)
  const token = tokenIn(smtp.received[2]!)
  expect((await accept(token, 'not the right password')).status).toBe(401)
  expect(await organizations((await accept(token, OWN)).body.access_token)).toEqual([
    'mallory',
    'acme',
    'third',
  ])
})

test('an invitation that cannot be mailed is not made, and the earlier one stands', async () => {
  const smtp = await startSmtpServer()
  const service = await composeForTest({
    env: {
      MARQUEE_SMTP_URL: smtp.url,
      MARQUEE_MAIL_FROM: 'media@marquee.example',
      MARQUEE_LIMIT_INVITATION_MAILS_PER_HOUR: '40',
    },
  })
  const acme = await addTenant(service, 'acme')
  const { invite, accept } = actorsOf(service)
  const open = async () =>
    (await acme.owner.get(`/auth/v1/memberships/${acme.orgId}/invitations`)).body.invitations
  await invite(acme)
  smtp.setUp(false)
  const failed = await invite(acme)
  expect(failed.body).toMatchObject({ code: 503, details: expect.stringContaining('mailed') })
  expect(failed.headers.get('retry-after')).toBe('1')
  smtp.setUp(true)
  smtp.refuseWith('550 no such mailbox')
  expect((await invite(acme)).body).toMatchObject({ code: 400, details: expect.stringContaining('email') })
  smtp.refuseWith(undefined)
  expect(await open()).toHaveLength(1)
  expect((await accept(tokenIn(smtp.received[0]!), OWN)).status).toBe(200)

  // A tenth of what an organization may send in an hour goes to one address.
  const spam = () =>
    acme.owner.post(`/auth/v1/memberships/${acme.orgId}/invite`, { email: 'victim@corp.example' })
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await spam()).status)
  expect(statuses).toEqual([201, 201, 201, 201, 429])
})

test('the operator says which account they mean, and vouches for one of them', async () => {
  const service = await composeForTest()
  const mallory = await addTenant(service, 'mallory')
  const acme = await addTenant(service, 'acme')
  const { invite, accept, login, organizations } = actorsOf(service)
  await accept((await invite(mallory)).body.token, PLANTED)
  await accept((await invite(acme)).body.token, 'forgotten since')
  const { sql } = service
  const change = (orgId?: Tenant['orgId']) =>
    changePassword(OPERATOR, { email: BOB, password: OWN, orgId }, sql)
  await expect(change()).rejects.toThrow('name the organization')
  await expect(service.tokenFor(BOB)).rejects.toThrow('name the organization')
  await change(acme.orgId)
  expect(await organizations((await login(OWN)).body.access_token)).toEqual(['acme'])

  await proveAddress(OPERATOR, { email: BOB, orgId: acme.orgId }, sql)
  expect(await organizations((await login(OWN)).body.access_token)).toEqual(['mallory', 'acme'])
  expect((await login(PLANTED)).status).toBe(401)
  await expect(proveAddress(OPERATOR, { email: BOB, orgId: undefined }, sql)).rejects.toThrow('already')
  const again = { email: BOB, password: OWN, orgId: acme.orgId, role: 'member' } as const
  await expect(createUser(OPERATOR, again, sql)).rejects.toThrow('already')
})

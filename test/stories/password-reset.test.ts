import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeResetLink } from '../../server/access/links/operator-links.ts'
import { insertMember } from '../../server/access/members/store.ts'
import { insertUser } from '../../server/access/users/store.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { newId } from '../../server/base/ids.ts'
import { bearer } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { browserAt, tokenOf } from '../support/page-browser.ts'
import { linkIn, type SmtpServer, startSmtpServer } from '../support/smtp-server.ts'
import { addTenant } from '../support/world.ts'

const OLD = 'a long enough one'
const NEW = 'a new and long one'

let smtp: SmtpServer
let closeSmtp: () => void
beforeAll(async () => {
  smtp = await startSmtpServer((close) => {
    closeSmtp = close
  })
})
afterAll(() => closeSmtp())

/** Mails are counted for each address: each test has addresses of its own. */
async function withMail() {
  const service = await composeForTest({
    env: {
      MARQUEE_SMTP_URL: smtp.url,
      MARQUEE_MAIL_FROM: 'media@example.com',
      MARQUEE_LIMIT_RESET_MAILS_PER_HOUR: '2',
    },
  })
  smtp.received.length = 0
  smtp.refuseWith(undefined)
  return { service, ...actorsOf(service) }
}

function actorsOf(service: InProcess) {
  const anybody = service.api.as({})
  return {
    ask: (email: string) => anybody.post('/auth/v1/password-reset', { email }),
    complete: (token: string, password: string) =>
      anybody.post('/auth/v1/password-reset/complete', { token, password }),
    login: (email: string, password: string) => anybody.post('/auth/v1/login', { email, password }),
    /** Nothing is left to be mailed. */
    mailed: () => expect.poll(() => service.sql`select from jobs`).toHaveLength(0),
  }
}

test('a forgotten password is replaced by a mailed link, and every sign-in ends', async () => {
  const { service, ask, complete, login, mailed } = await withMail()
  await addTenant(service, 'acme')
  const email = 'owner@acme.example'
  const browser = browserAt(service)
  const { access_token } = (await browser.signIn({ email, password: OLD })).body
  expect((await ask('Owner@Acme.example')).status).toBe(204)
  await mailed()
  expect(smtp.received).toMatchObject([{ to: [email] }])
  const link = linkIn(smtp.received[0]!)
  expect(link).toMatch(/^http:\/\/localhost:\d+\/console\/reset#token=[\w-]{43}$/)

  expect((await complete(tokenOf(link), 'short')).body.details).toContain('at least 10')
  expect((await browser.renew()).status).toBe(200)
  expect((await complete(tokenOf(link), NEW)).status).toBe(204)
  expect((await complete(tokenOf(link), 'yet another long one')).status).toBe(401)
  expect((await browser.renew()).status).toBe(401)
  const me = service.api.as(bearer(access_token)).get('/auth/v1/users/current')
  expect((await me).status).toBe(401)
  expect((await login(email, OLD)).status).toBe(401)
  expect((await login(email, NEW)).status).toBe(200)
})

test('strangers learn nothing of who has an account, and fill nobody’s mailbox', async () => {
  const { service, ask, mailed } = await withMail()
  await addTenant(service, 'busy')
  await insertUser(service.sql, {
    id: newId('user'),
    email: 'by-openid@busy.example',
    passwordHash: null,
    confinedTo: null,
  })
  const answers = []
  for (const email of ['owner@busy.example', 'nobody@busy.example', 'by-openid@busy.example'])
    for (let i = 0; i < 3; i++) {
      const { status, headers, body } = await ask(email)
      answers.push(JSON.stringify([status, body, [...headers.keys()].sort()]))
      await mailed()
    }
  expect(new Set(answers).size).toBe(1)
  expect(smtp.received.map(({ to }) => to[0])).toEqual(['owner@busy.example', 'owner@busy.example'])
  // Each of them still works, whoever asked for the other.
  const { complete } = actorsOf(service)
  expect((await complete(tokenOf(linkIn(smtp.received[0]!)), NEW)).status).toBe(204)
  expect((await complete(tokenOf(linkIn(smtp.received[1]!)), NEW)).status).toBe(401)
})

test('mail that cannot be sent now is sent later, and leaves no link behind', async () => {
  const { service, ask, mailed } = await withMail()
  await addTenant(service, 'late')
  smtp.setUp(false)
  expect((await ask('owner@late.example')).status).toBe(204)
  const attempts = async () => (await service.sql`select attempts from jobs`)[0]?.attempts
  await expect.poll(attempts).toBeGreaterThan(0)
  smtp.setUp(true)
  await mailed()
  expect(smtp.received).toHaveLength(1)
  expect(await service.sql`select from account_links`).toHaveLength(1)

  smtp.refuseWith('550 nobody here')
  await ask('owner@late.example')
  await mailed()
  expect(await service.sql`select from account_links`).toHaveLength(1)
})

test('without mail nothing is sent, and an operator makes the link', async () => {
  const service = await composeForTest()
  await addTenant(service, 'acme')
  const { ask, complete, login } = actorsOf(service)
  const options = () => browserAt(service).send('GET', '/auth/v1/browser/options')
  expect((await options()).body).toEqual({ mail: false, openid: [], ever_signed_in: false })
  expect((await ask('owner@acme.example')).status).toBe(204)
  expect(await service.sql`select from jobs`).toHaveLength(0)
  const asked = { email: 'owner@acme.example', orgId: undefined }
  const { link } = await makeResetLink(OPERATOR, asked, { sql: service.sql, baseUrl: service.url })
  expect((await complete(tokenOf(link), NEW)).status).toBe(204)
  expect((await login('owner@acme.example', NEW)).status).toBe(200)
  expect((await options()).body).toMatchObject({ ever_signed_in: true })
})

test('a mailed link proves the address: planted accounts of it become its reader’s', async () => {
  const { service, ask, complete, login, mailed } = await withMail()
  const email = 'bob@corp.example'
  const tenants = [await addTenant(service, 'acme'), await addTenant(service, 'mallory')]
  for (const { orgId } of tenants) {
    const id = newId('user')
    await insertUser(service.sql, { id, email, passwordHash: 'planted', confinedTo: orgId })
    await insertMember(service.sql, orgId, id, 'member')
  }
  await ask(email)
  await mailed()
  expect((await complete(tokenOf(linkIn(smtp.received[0]!)), NEW)).status).toBe(204)
  const { access_token } = (await login(email, NEW)).body
  const me = await service.api.as(bearer(access_token)).get('/auth/v1/users/current')
  expect(me.body.organizations.map(({ name }: { name: string }) => name).sort()).toEqual(['acme', 'mallory'])
  expect(await service.sql`select from users where email = ${email}`).toHaveLength(1)
})

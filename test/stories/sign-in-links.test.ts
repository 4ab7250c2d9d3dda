import { expect, test } from 'vitest'
import { makeSignInLink, ownerSignInLink } from '../../server/access/links/operator-links.ts'
import { OPERATOR } from '../../server/base/caller.ts'
import { composeForTest } from '../support/in-process.ts'
import { browserAt, SESSION, tokenOf } from '../support/page-browser.ts'
import { addTenant } from '../support/world.ts'

const EMAIL = 'owner@acme.example'

test('a start has a link for the owner until they have signed in', async () => {
  const { sql, url, seed } = await composeForTest()
  const welcome = () => ownerSignInLink(OPERATOR, seed.owner_email, { sql, baseUrl: url })
  const [first, second] = [await welcome(), await welcome()]
  expect(first).toMatch(new RegExp(`^${url}/console/sign-in#link=[\\w-]{43}$`))
  const browser = browserAt({ url })
  // Another one that was printed in the meantime does no harm.
  expect((await browser.send('POST', `${SESSION}/link`, { link: tokenOf(first!) })).status).toBe(200)
  expect((await browser.renew()).status).toBe(200)
  expect(await welcome()).toBeUndefined()
  // What was not used ends with the one that was.
  expect((await browser.send('POST', `${SESSION}/link`, { link: tokenOf(second!) })).status).toBe(401)
})

test('only hashes of links are kept, and a new password ends them', async () => {
  const service = await composeForTest()
  const { owner } = await addTenant(service, 'acme')
  const make = () =>
    makeSignInLink(OPERATOR, { email: EMAIL, orgId: undefined }, { sql: service.sql, baseUrl: service.url })
  const { link, expires_in } = await make()
  expect(expires_in).toBe(3600)
  const rows = await service.sql`select encode(hash, 'escape') as hash, kind from account_links`
  expect(JSON.stringify(rows)).not.toContain(tokenOf(link))
  const change = { current_password: 'a long enough one', new_password: 'another long one' }
  expect((await owner.put('/auth/v1/users/current/password', change)).status).toBe(204)
  const use = (token: string) => browserAt(service).send('POST', `${SESSION}/link`, { link: token })
  expect((await use(tokenOf(link))).status).toBe(401)
  expect((await use(tokenOf((await make()).link))).status).toBe(200)
})

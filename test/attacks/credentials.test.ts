import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { DEFAULT_MESSAGES } from '../../server/http/operation.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { browserAt } from '../support/page-browser.ts'
import { addMember, addRestrictedKey, addTenant } from '../support/world.ts'
import { keys, PUBLIC, type Row, TABLE, type Verdict, type World } from './credentials-table.ts'

function operationsOf(service: InProcess): string[] {
  return service.service.app.served
    .filter(({ url }) => !url.startsWith('/docs'))
    .flatMap(({ methods, url }) =>
      methods.filter((m) => m !== 'HEAD' && m !== 'OPTIONS').map((m) => `${m} ${url}`),
    )
}

async function worldOf(service: InProcess): Promise<World> {
  const mine = await addTenant(service, 'mine')
  const theirs = await addTenant(service, 'theirs')
  const member = await addMember(service, mine, 'somebody@mine.example', ['analytics:read'])
  const { body } = await mine.owner.get(`/auth/v1/memberships/${mine.orgId}/policies`)
  const policyId = body.policies[0].id
  const attachments = await mine.owner.get(
    `/auth/v1/memberships/${mine.orgId}/policies/${policyId}/attachments`,
  )
  const spare = await mine.owner.post(`/organizations/${mine.orgId}/api-keys/v1`, {
    name: 'spare',
    project_id: mine.projectId,
  })
  return {
    mine,
    theirs,
    policyId,
    attachmentId: attachments.body.attachments[0].id,
    memberId: member.id,
    spareKeyId: spare.body.api_key.id,
  }
}

async function forgedTokens(world: World): Promise<Record<string, string>> {
  const [header, payload] = world.mine.ownerToken.split('.') as [string, string]
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const other = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .sign(Buffer.from('another secret of thirty-two bytes'))
  return {
    'signed by another secret': other,
    'without a signature': `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    'with its signature cut off': `${header}.${payload}.`,
    'of another user': `${header}.${encode({ ...claims, sub: 'user_00000000000000000000000000' })}.${world.mine.ownerToken.split('.')[2]}`,
    'that is no token': 'nonsense',
  }
}

interface Visitor {
  headers: Record<string, string>
  verdict: (row: Row) => Verdict
}

/** Everybody who knocks at every door, with what they should hear there. */
async function visitorsOf(service: InProcess, world: World): Promise<Record<string, Visitor>> {
  const { mine, theirs } = world
  const revoked = await mine.owner.post(keys(world), { name: 'revoked', project_id: mine.projectId })
  await mine.owner.delete(`${keys(world)}/${revoked.body.api_key.id}`)
  const signedOut = await service.tokenFor('owner@mine.example')
  await service.api.as(bearer(signedOut)).post('/auth/v1/logout')
  const login = await service.api
    .as({})
    .post('/auth/v1/login', { email: 'owner@mine.example', password: 'a long enough one' })
  const browser = browserAt(service)
  await browser.signIn({ email: 'owner@mine.example', password: 'a long enough one' })
  const powerless = await addMember(service, mine, 'powerless@mine.example', [])
  const powerlessKey = await addRestrictedKey(mine, ['billing:read'])
  const wrongSecret = mine.secretKey.slice(0, -1) + (mine.secretKey.endsWith('A') ? 'B' : 'A')

  const refused: Record<string, Record<string, string>> = {
    nobody: {},
    'a malformed key': key('mq_sk_nonsense'),
    'a key with a wrong secret': key(wrongSecret),
    'a secret key that says it is publishable': key(mine.secretKey.replace('mq_sk', 'mq_pk')),
    'a revoked key': key(revoked.body.api_key.secret),
    'a signed-out token': bearer(signedOut),
    'a refresh token': bearer(login.body.refresh_token),
    'a key sent as a token': bearer(mine.secretKey),
    // On a page of the service itself: not even there is it a credential of anything but the session's own operations.
    'the cookie of a browser session': {
      cookie: `marquee_session=${browser.cookie()}`,
      origin: service.url,
      'sec-fetch-site': 'same-origin',
    },
    'basic authentication': { authorization: 'Basic bWFycXVlZTptYXJxdWVl' },
  }
  for (const [name, token] of Object.entries(await forgedTokens(world)))
    refused[`a token ${name}`] = bearer(token)

  return {
    ...Object.fromEntries(
      Object.entries(refused).map(([who, headers]) => [who, { headers, verdict: () => 401 }]),
    ),
    'another tenant': { headers: bearer(theirs.ownerToken), verdict: (row) => row.otherTenant },
    "another tenant's key": { headers: key(theirs.secretKey), verdict: (row) => row.otherTenantKey },
    'a member without policies': { headers: bearer(powerless.token), verdict: (row) => row.powerless },
    'a key for something else': { headers: key(powerlessKey.secret), verdict: (row) => row.powerlessKey },
    'a publishable key': { headers: key(mine.publishableKey), verdict: (row) => row.publishableKey },
    'a secret key': { headers: key(mine.secretKey), verdict: (row) => row.secretKey },
    'the owner': { headers: bearer(mine.ownerToken), verdict: () => 'allowed' },
  }
}

const BELONG = ['a member without policies', 'a key for something else']
const NAMES_WHAT_IS_MISSING =
  /^needs \w+:\w+|do not hold yourself: |only a secret key|of an API key|of a user/

async function knock(service: InProcess, world: World, operation: string, headers: Record<string, string>) {
  const row = TABLE[operation]!
  const body = row.body?.(world)
  const response = await fetch(service.url + row.path(world), {
    method: operation.split(' ')[0]!,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

test('every operation has a row in the table, or is public for a reason', async () => {
  const service = await composeForTest()
  expect(operationsOf(service).sort()).toEqual([...Object.keys(TABLE), ...PUBLIC].sort())
})

test('whoever may not is refused, in the right words, by every operation', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })
  const world = await worldOf(service)
  const visitors = await visitorsOf(service, world)
  let refusals = 0
  for (const [operation, row] of Object.entries(TABLE))
    for (const [who, { headers, verdict }] of Object.entries(visitors)) {
      const expected = verdict(row)
      if (expected === 'allowed') continue
      const { status, text } = await knock(service, world, operation, headers)
      const label = `${operation} by ${who}: ${status} ${text}`
      expect(status, label).toBe(expected)
      const { details, ...rest } = JSON.parse(text)
      expect(rest, label).toEqual({
        code: expected,
        error: row.words?.[expected] ?? DEFAULT_MESSAGES[expected],
      })
      expect(['string', 'undefined'], label).toContain(typeof details)
      // Those who belong here hear what they lack; what others are told says nothing of what is here.
      if (expected === 403 && BELONG.includes(who)) expect(details, label).toMatch(NAMES_WHAT_IS_MISSING)
      if (who.startsWith('another tenant')) expect(details ?? '', label).not.toContain('needs')
      refusals++
    }
  expect(refusals).toBeGreaterThan(Object.keys(TABLE).length * 14)
})

// In the table's order what is made is made before it is deleted; what ends a caller comes last.
const LAST = ['/auth/v1/logout', '/organizations/:org_id/projects/v1/:project_id']

/** Ends a caller as well, and so does signing out: its own story shows it. */
const EVERYWHERE = 'DELETE /auth/v1/sessions'

test('whoever may is not refused', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })
  const world = await worldOf(service)
  const visitors = await visitorsOf(service, world)
  const isLast = (operation: string) =>
    operation !== `GET ${LAST[1]}` && LAST.includes(operation.split(' ')[1]!)
  const operations = Object.keys(TABLE).sort((a, b) => Number(isLast(a)) - Number(isLast(b)))
  for (const operation of operations)
    for (const [who, { headers, verdict }] of Object.entries(visitors)) {
      if (verdict(TABLE[operation]!) !== 'allowed' || isLast(operation) || operation === EVERYWHERE) continue
      const { status, text } = await knock(service, world, operation, headers)
      const label = `${operation} by ${who}: ${status} ${text}`
      expect([401, 403, 500], label).not.toContain(status)
    }
  // The project goes before its owner signs out.
  for (const operation of operations.filter(isLast).sort()) {
    const { status, text } = await knock(service, world, operation, visitors['the owner']!.headers)
    expect(status, `${operation} by the owner: ${text}`).toBe(204)
  }
})

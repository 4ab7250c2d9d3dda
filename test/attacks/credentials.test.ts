import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { DEFAULT_MESSAGES } from '../../server/http/operation.ts'
import { bearer, key } from '../support/api.ts'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import { addMember, addRestrictedKey, addTenant, type Tenant } from '../support/world.ts'

interface World {
  mine: Tenant
  theirs: Tenant
  policyId: string
  attachmentId: string
  memberId: string
  /** A key nobody uses: it may be deleted. */
  spareKeyId: string
}

/** What each kind of caller gets; `allowed` is anything but 401 and 403. */
type Verdict = 'allowed' | 401 | 403 | 404

interface Row {
  path: (world: World) => string
  body?: (world: World) => unknown
  /** The credential is right but of the other kind: a secret key, a publishable key. */
  secretKey: Verdict
  publishableKey: Verdict
  /** Another tenant's owner, and their secret key. */
  otherTenant: Verdict
  otherTenantKey: Verdict
  /** A member with no policy, and a key whose policy is about something else. */
  powerless: Verdict
  powerlessKey: Verdict
  /** The operation's own words, where they are not the usual ones. */
  words?: Record<number, string>
}

const EVERYBODY = {
  secretKey: 'allowed',
  publishableKey: 'allowed',
  otherTenant: 'allowed',
  otherTenantKey: 'allowed',
  powerless: 'allowed',
  powerlessKey: 'allowed',
} as const

/** What belongs to an organization as a whole, a project's key cannot touch. */
const ORGANIZATION = {
  secretKey: 403,
  publishableKey: 403,
  otherTenant: 403,
  otherTenantKey: 403,
  powerless: 403,
  powerlessKey: 403,
} as const

/** What is in a project, its secret key may touch. */
const PROJECT = { ...ORGANIZATION, secretKey: 'allowed' } as const

/** Operations that take a bearer token only: a key is no credential there. */
const BEARER_ONLY = {
  ...EVERYBODY,
  secretKey: 401,
  publishableKey: 401,
  otherTenantKey: 401,
  powerlessKey: 401,
} as const

const org = (w: World) => w.mine.orgId
const project = (w: World) => `/organizations/${org(w)}/projects/v1/${w.mine.projectId}`
const policies = (w: World) => `/auth/v1/memberships/${org(w)}/policies`
const members = (w: World) => `/auth/v1/memberships/${org(w)}`
const keys = (w: World) => `/organizations/${org(w)}/api-keys/v1`

/** What acts on the caller's own project: another tenant acts on theirs, and never sees this one. */
const OWN_PROJECT = { ...PROJECT, otherTenant: 'allowed', otherTenantKey: 'allowed' } as const
const UPLOAD_WORDS = { 401: 'Unauthorized - Invalid API key', 403: 'Access denied' }
const UNKNOWN_IMAGE = 'img_00000000000000000000000000'

/** Every operation that asks who calls. */
const TABLE: Record<string, Row> = {
  'GET /project': { ...OWN_PROJECT, path: () => '/project' },
  'POST /images/upload/init': {
    ...OWN_PROJECT,
    path: () => '/images/upload/init',
    body: () => ({ file_name: 'x.jpg' }),
    words: UPLOAD_WORDS,
  },
  'POST /images/upload/complete': {
    ...OWN_PROJECT,
    path: () => '/images/upload/complete',
    body: () => ({ image_id: UNKNOWN_IMAGE }),
    words: UPLOAD_WORDS,
  },
  'GET /images': { ...OWN_PROJECT, path: () => '/images' },
  'GET /images/:imageId': { ...OWN_PROJECT, path: () => `/images/${UNKNOWN_IMAGE}` },
  'DELETE /images/:imageId': {
    ...OWN_PROJECT,
    path: () => `/images/${UNKNOWN_IMAGE}`,
    words: { 403: 'Access denied' },
  },
  'GET /organization/:orgId/projects': { ...PROJECT, path: (w) => `/organization/${org(w)}/projects` },
  'POST /organizations/:org_id/projects/v1': {
    ...ORGANIZATION,
    path: (w) => `/organizations/${org(w)}/projects/v1`,
    body: () => ({ name: 'x' }),
  },
  'GET /organizations/:org_id/projects/v1/:project_id': { ...PROJECT, path: project },
  'DELETE /organizations/:org_id/projects/v1/:project_id': { ...PROJECT, path: project },
  'PATCH /organizations/:org_id/projects/v1/:project_id/name': {
    ...PROJECT,
    path: (w) => `${project(w)}/name`,
    body: () => ({ name: 'x' }),
  },
  'PATCH /organizations/:org_id/projects/v1/:project_id/video-quality': {
    ...PROJECT,
    path: (w) => `${project(w)}/video-quality`,
    body: () => ({ video_quality: 'pro' }),
  },
  'PUT /organizations/:org_id/projects/v1/:project_id/custom-domain': {
    ...PROJECT,
    path: (w) => `${project(w)}/custom-domain`,
    body: () => ({ custom_domain: 'media.example.com' }),
  },
  'DELETE /organizations/:org_id/projects/v1/:project_id/custom-domain': {
    ...PROJECT,
    path: (w) => `${project(w)}/custom-domain`,
  },
  'GET /organizations/:org_id/api-keys/v1': { ...PROJECT, path: keys },
  'POST /organizations/:org_id/api-keys/v1': {
    ...PROJECT,
    path: keys,
    body: (w) => ({ name: 'x', project_id: w.mine.projectId }),
  },
  'POST /organizations/:org_id/api-keys/v1/:key_id/rotate': {
    ...PROJECT,
    path: (w) => `${keys(w)}/${w.mine.secretKeyId}/rotate`,
    body: () => ({ grace_seconds: 3600 }),
  },
  'DELETE /organizations/:org_id/api-keys/v1/:key_id': {
    ...PROJECT,
    path: (w) => `${keys(w)}/${w.spareKeyId}`,
  },
  'GET /auth/v1/policies/permissions': { ...EVERYBODY, path: () => '/auth/v1/policies/permissions' },
  'GET /auth/v1/memberships/:org_id/policies': { ...ORGANIZATION, path: policies },
  'POST /auth/v1/memberships/:org_id/policies': {
    ...ORGANIZATION,
    path: policies,
    body: () => ({ name: 'x', permissions: ['videos:read'] }),
  },
  'GET /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
  },
  'PUT /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
    body: () => ({ permissions: ['*:*'] }),
  },
  'DELETE /auth/v1/memberships/:org_id/policies/:policy_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}`,
  },
  'GET /auth/v1/memberships/:org_id/policies/:policy_id/attachments': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}/attachments`,
  },
  'POST /auth/v1/memberships/:org_id/policies/:policy_id/attachments': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/${w.policyId}/attachments`,
    body: (w) => ({ identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: w.memberId }),
  },
  'DELETE /auth/v1/memberships/:org_id/policies/attachments/:attachment_id': {
    ...ORGANIZATION,
    path: (w) => `${policies(w)}/attachments/${w.attachmentId}`,
  },
  'GET /auth/v1/memberships/:org_id/members': { ...ORGANIZATION, path: (w) => `${members(w)}/members` },
  'POST /auth/v1/memberships/:org_id/invite': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/invite`,
    body: () => ({ email: 'new@example.com' }),
  },
  'DELETE /auth/v1/memberships/:org_id/members/:user_id': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/members/${w.memberId}`,
  },
  'PATCH /auth/v1/memberships/:org_id/members/:user_id/role': {
    ...ORGANIZATION,
    path: (w) => `${members(w)}/members/${w.memberId}/role`,
    body: () => ({ role: 'owner' }),
  },
  'POST /auth/v1/logout': { ...BEARER_ONLY, path: () => '/auth/v1/logout' },
  'GET /auth/v1/users/current': { ...BEARER_ONLY, path: () => '/auth/v1/users/current' },
}

/** Operations without a credential; each is there for a reason that its own tests show. */
const PUBLIC = [
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'PUT /upload/:fileId',
  'GET /cdn/:projectId/:fileId',
  'POST /auth/v1/login',
  'POST /auth/v1/token',
  'POST /platform/auth/v1/token',
  'POST /auth/v1/invitations/accept',
]

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
      refusals++
    }
  expect(refusals).toBeGreaterThan(Object.keys(TABLE).length * 14)
})

// In the table's order what is made is made before it is deleted; what ends a caller comes last.
const LAST = ['/auth/v1/logout', '/organizations/:org_id/projects/v1/:project_id']

test('whoever may is not refused', async () => {
  const service = await composeForTest({ env: { MARQUEE_LIMIT_KEY_PER_MINUTE: '0' } })
  const world = await worldOf(service)
  const visitors = await visitorsOf(service, world)
  const isLast = (operation: string) =>
    operation !== `GET ${LAST[1]}` && LAST.includes(operation.split(' ')[1]!)
  const operations = Object.keys(TABLE).sort((a, b) => Number(isLast(a)) - Number(isLast(b)))
  for (const operation of operations)
    for (const [who, { headers, verdict }] of Object.entries(visitors)) {
      if (verdict(TABLE[operation]!) !== 'allowed' || isLast(operation)) continue
      const { status, text } = await knock(service, world, operation, headers)
      const label = `${operation} by ${who}: ${status} ${text}`
      expect([401, 403, 500], label).not.toContain(status)
    }
  for (const operation of operations.filter(isLast)) {
    const who = operation.startsWith('DELETE') ? 'a secret key' : 'the owner'
    const { status, text } = await knock(service, world, operation, visitors[who]!.headers)
    expect(status, `${operation} by ${who}: ${text}`).toBe(204)
  }
})

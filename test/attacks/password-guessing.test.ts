import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

const EMAIL = 'owner@acme.example'
const PASSWORD = 'a long enough one'

/** Clients say where they are by the header of a proxy that the service trusts. */
async function world(env: Record<string, string> = {}) {
  let now = Date.now()
  const service = await composeForTest({
    env: { MARQUEE_TRUST_PROXY: '127.0.0.1', MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0', ...env },
    clock: () => now,
  })
  const acme = await addTenant(service, 'acme')
  const login = async (from: string, password: string, email = EMAIL) =>
    (await service.api.as({ 'x-forwarded-for': from }).post('/auth/v1/login', { email, password })).status
  return {
    service,
    acme,
    login,
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

test('wrong passwords by a stranger do not lock the owner out', async () => {
  const { login } = await world()
  const guesses = []
  for (let i = 0; i < 12; i++) guesses.push(await login('203.0.113.1', `guess number ${i}`))
  expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  // The stranger does not get in with the right one either, the owner does, though never seen from there before.
  expect(await login('203.0.113.1', PASSWORD)).toBe(429)
  expect(await login('198.51.100.7', PASSWORD)).toBe(200)
  // An address of IPv4 is itself also where it is written as one of IPv6.
  expect(await login('::ffff:203.0.113.1', PASSWORD)).toBe(429)
  expect(await login('::ffff:198.51.100.8', PASSWORD)).toBe(200)
})

test('many strangers together are bounded, and shut nobody out from where they signed in before', async () => {
  const { login, pass } = await world({ MARQUEE_LIMIT_PASSWORDS_PER_HOUR: '12' })
  expect(await login('198.51.100.7', PASSWORD)).toBe(200)
  const guesses = []
  for (let i = 1; i <= 13; i++) guesses.push(await login(`203.0.113.${i}`, `guess number ${i}`))
  // The owner's own first sign-in was one of the twelve.
  expect(guesses).toEqual([...Array.from({ length: 11 }, () => 401), 429, 429])
  expect(await login('192.0.2.1', PASSWORD)).toBe(429)
  for (let i = 0; i < 3; i++) expect(await login('198.51.100.7', PASSWORD)).toBe(200)
  // Who comes from there is bounded too.
  for (let i = 0; i < 6; i++) expect(await login('198.51.100.7', `guess number ${i}`)).toBe(401)
  expect(await login('198.51.100.7', PASSWORD)).toBe(429)
  pass(3600)
  expect(await login('192.0.2.1', PASSWORD)).toBe(200)
})

test('one stranger alone cannot use up what all strangers have', async () => {
  const { login, pass } = await world({ MARQUEE_LIMIT_PASSWORDS_PER_HOUR: '20' })
  let taken = 0
  for (let minute = 0; minute < 5; minute++, pass(60))
    for (let i = 0; i < 5; i++)
      // Whoever has one address of IPv6 has the network around it, often of 56 bits.
      if ((await login(`2001:db8:0:${minute}${i}:${i}::1`, `guess number ${i}`)) === 401) taken++
  expect(taken).toBe(2)
  expect(await login('2001:db8:0:1ff::1', `guess`)).toBe(401)
  expect(await login('198.51.100.7', PASSWORD)).toBe(200)
})

test('an account that somebody planted makes their place known to no other account', async () => {
  const { service, acme, login } = await world({ MARQUEE_LIMIT_PASSWORDS_PER_HOUR: '20' })
  const mallory = await addTenant(service, 'mallory')
  const planted = 'chosen by another'
  const invited = await mallory.owner.post(`/auth/v1/memberships/${mallory.orgId}/invite`, { email: EMAIL })
  const from = { 'x-forwarded-for': '203.0.113.1' }
  const body = { token: invited.body.token, password: planted }
  expect((await service.api.as(from).post('/auth/v1/invitations/accept', body)).status).toBe(200)
  expect(await login('203.0.113.1', planted)).toBe(200)
  const guesses = []
  for (let i = 0; i < 3; i++) guesses.push(await login('203.0.113.1', `guess number ${i}`))
  // A tenth of twenty, of which accepting took one.
  expect(guesses).toEqual([401, 429, 429])
  expect(await login('203.0.113.1', planted)).toBe(200)
  expect((await acme.owner.get('/auth/v1/users/current')).body.organizations).toHaveLength(1)
})

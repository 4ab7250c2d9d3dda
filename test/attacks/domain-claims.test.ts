import { expect, test } from 'vitest'
import { startDnsServer } from '../support/dns-server.ts'
import { composeForTest } from '../support/in-process.ts'
import { addTenant, type Tenant } from '../support/world.ts'

const DOMAIN = 'media.corp.example'

async function world() {
  const dns = await startDnsServer()
  const service = await composeForTest({ env: { MARQUEE_DNS_SERVERS: dns.address } })
  const at = ({ orgId, projectId }: Tenant) => `/organizations/${orgId}/projects/v1/${projectId}`
  return {
    dns,
    squatter: await addTenant(service, 'squatter'),
    corp: await addTenant(service, 'corp'),
    claim: (tenant: Tenant, custom_domain = DOMAIN) =>
      tenant.owner.put(`${at(tenant)}/custom-domain`, { custom_domain }),
    show: async (tenant: Tenant) => (await tenant.owner.get(at(tenant))).body,
    drop: (tenant: Tenant) => tenant.owner.delete(`${at(tenant)}/custom-domain`),
  }
}

test('a claim without proof keeps nobody from the domain, and gives way to its owner', async () => {
  const { dns, squatter, corp, claim, show } = await world()
  const squatted = await claim(squatter)
  expect(squatted.body).toMatchObject({ custom_domain: DOMAIN, custom_domain_status: 'pending' })
  const claimed = await claim(corp, 'Media.Corp.example.')
  expect(claimed.status).toBe(200)
  const record = claimed.body.custom_domain_record
  expect(record).toEqual({
    type: 'TXT',
    name: `_marquee.${DOMAIN}`,
    value: expect.stringMatching(/^marquee-domain=[\w-]{43}$/),
  })
  expect(claimed.body.notes.join()).toContain('not proved yet')
  expect(record.value).not.toBe(squatted.body.custom_domain_record.value)

  // The records of others and of other domains prove nothing.
  const elsewhere = (await claim(corp, 'other.corp.example')).body.custom_domain_record.value
  await claim(corp)
  dns.texts.set(record.name, ['v=spf1 -all', elsewhere, `${record.value}x`])
  expect((await claim(corp)).body.custom_domain_status).toBe('pending')
  expect((await claim(squatter)).body.custom_domain_status).toBe('pending')

  dns.texts.set(record.name, ['v=spf1 -all', record.value])
  expect((await claim(corp)).body.custom_domain_status).toBe('verified')
  expect(await show(corp)).toMatchObject({ custom_domain: DOMAIN, custom_domain_status: 'verified' })
  const given = await show(squatter)
  expect(given.custom_domain).toBe('')
  expect(given).not.toHaveProperty('custom_domain_status')
  const refused = await claim(squatter)
  expect(refused.body).toMatchObject({ code: 409, error: 'Conflict' })
  expect(refused.body.details).toContain(squatted.body.custom_domain_record.value)
})

test('a domain follows its DNS to another project, and is free once it is removed', async () => {
  const { dns, squatter, corp, claim, show, drop } = await world()
  const { custom_domain_record: first } = (await claim(squatter)).body
  dns.texts.set(first.name, [first.value])
  expect((await claim(squatter)).body.custom_domain_status).toBe('verified')
  // Sold: its new owner sets a record of theirs.
  const refused = await claim(corp)
  expect(refused.status).toBe(409)
  const value = /"(marquee-domain=[^"]+)"/.exec(refused.body.details)![1]!
  dns.texts.set(first.name, [value])
  expect((await claim(corp)).body.custom_domain_status).toBe('verified')
  expect((await show(squatter)).custom_domain).toBe('')

  const dropped = await drop(corp)
  expect(dropped.body.custom_domain).toBe('')
  expect(dropped.body).not.toHaveProperty('custom_domain_status')
  expect((await claim(squatter)).body.custom_domain_status).toBe('pending')
})

test('where the DNS does not answer, nothing is proved and nothing is lost', async () => {
  const { dns, corp, squatter, claim, show } = await world()
  const { custom_domain_record: record } = (await claim(corp)).body
  dns.texts.set(record.name, [record.value])
  dns.setUp(false)
  expect((await claim(corp)).body).toMatchObject({ custom_domain: DOMAIN, custom_domain_status: 'pending' })
  dns.setUp(true)
  expect((await claim(corp)).body.custom_domain_status).toBe('verified')
  dns.setUp(false)
  expect((await claim(corp)).body.custom_domain_status).toBe('verified')
  expect((await claim(squatter)).status).toBe(409)
  expect(await show(corp)).toMatchObject({ custom_domain: DOMAIN, custom_domain_status: 'verified' })
})

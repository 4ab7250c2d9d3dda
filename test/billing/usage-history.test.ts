import { expect, test } from 'vitest'
import { sampleUsage } from '../../server/billing/index.ts'
import { key } from '../support/api.ts'
import { composeForTest } from '../support/in-process.ts'
import { addTenant } from '../support/world.ts'

const GIB = 2 ** 30
const storageLimits = { free: 10 * GIB, pro: 2 ** 40, custom: 10 * 2 ** 40, pay_as_you_go: 10 * 2 ** 40 }
const today = () => new Date().toISOString().slice(0, 10)

test('a sweep samples each project once a day; the history has it beside what is used now', async () => {
  const service = await composeForTest({
    env: { MARQUEE_SWEEP_INTERVAL: '1', MARQUEE_LIMIT_FREE_PER_MINUTE: '0' },
  })
  const { sql } = service
  const mine = await addTenant(service, 'mine', 'free')
  const theirs = await addTenant(service, 'theirs')
  const history = async (query = '', api = mine.owner) =>
    (await api.get(`/billing/v1/usage-history?org_id=${mine.orgId}${query}`)).body
  // A sweep that came before them has done the day's work already.
  await sql`delete from usage_samples`
  // Not by asking for the history, which plan `free` allows so many times an hour.
  const sampled = () => sql`select from usage_samples where project_id = ${mine.projectId}`
  await expect.poll(sampled, { timeout: 30_000 }).toHaveLength(1)
  const empty = { storage_used: 0, videos: 0, images: 0 }
  const sample = { date: today(), plan: 'free', storage_limit: 10 * GIB, ...empty }
  const project = { project_id: mine.projectId, name: 'mine project' }
  expect(await history()).toEqual({
    org_id: mine.orgId,
    plan: 'free',
    storage_limit: 10 * GIB,
    totals: [{ date: today(), ...empty }],
    projects: [{ ...project, now: empty, samples: [sample] }],
    pagination: { limit: 25, offset: 0, total: 1 },
  })

  // Two days of before: a project that is gone since, and another plan. Whoever samples again today changes nothing.
  await sql`
    insert into usage_samples (day, project_id, org_id, plan, storage_used, storage_limit, videos, images)
    values ('2026-01-02', ${mine.projectId}, ${mine.orgId}, 'pro', 7, ${2 ** 40}, 1, 2),
      ('2026-01-02', 'proj_gone', ${mine.orgId}, 'pro', 5, ${2 ** 40}, 1, 0),
      ('2026-01-03', 'proj_gone', ${mine.orgId}, 'pro', 6, ${2 ** 40}, 1, 0),
      ('2020-01-01', ${mine.projectId}, ${mine.orgId}, 'pro', 1, 1, 1, 1)`
  await sql`update projects set storage_used = 3 where id = ${mine.projectId}`
  await sampleUsage({ sql, storageLimits })
  const [now] = (await history()).projects
  expect(now).toMatchObject({ now: { storage_used: 3 }, samples: [{ storage_used: 0 }] })
  const before = await history('&start=2026-01-01&end=2026-01-31')
  expect(before.totals).toEqual([
    { date: '2026-01-02', storage_used: 12, videos: 2, images: 2 },
    { date: '2026-01-03', storage_used: 6, videos: 1, images: 0 },
  ])
  expect(before.projects[0].samples).toEqual([
    { date: '2026-01-02', plan: 'pro', storage_limit: 2 ** 40, storage_used: 7, videos: 1, images: 2 },
  ])
  // A key sees its own project, and nobody another's organization.
  const byKey = await history('&start=2026-01-01&end=2026-01-31', mine.owner.as(key(mine.secretKey)))
  expect(byKey.totals).toEqual([{ date: '2026-01-02', storage_used: 7, videos: 1, images: 2 }])
  expect(await history('', theirs.owner)).toEqual({ code: 403, error: 'Forbidden' })

  // The first sweep of another day samples again, and forgets what is too old.
  await sql`delete from usage_samples where day = ${today()}`
  await sampleUsage({ sql, storageLimits })
  expect((await history()).totals).toEqual([{ date: today(), ...empty, storage_used: 3 }])
  await expect.poll(() => sql`select from usage_samples where day = '2020-01-01'`).toHaveLength(0)
  for (const query of [
    '&start=yesterday',
    '&start=2026-02-30',
    '&start=2024-01-01&end=2026-01-01',
    '&end=1969-12-31',
  ])
    expect((await history(query)).code, query).toBe(400)
})

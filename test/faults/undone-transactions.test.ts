import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../server/base/ids.ts'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { claimSegments, releaseClaims, renewClaims } from '../../server/transcoding/store.ts'
import { composeForTest } from '../support/in-process.ts'
import { startPostgres } from '../support/postgres.ts'

test('what the database undoes for the sake of another is done again, or asked to be sent again', async () => {
  const { api, sql } = await composeForTest({ fresh: true })
  await sql.unsafe(`
    create sequence refused;
    create function refuse() returns trigger language plpgsql as $$
    begin
      if nextval('refused') <= 2 or new.name = 'never' then
        raise 'deadlock detected' using errcode = case new.name when 'serial' then '40001' else '40P01' end;
      end if;
      return new;
    end $$;
    create trigger refused before insert on feeds for each row execute function refuse()`)
  const create = (name: string) => api.post('/feeds', { name })
  expect((await create('often')).status).toBe(201)
  await sql`select setval('refused', 1, false)`
  expect((await create('serial')).status).toBe(201)
  const never = await create('never')
  expect(never.status).toBe(503)
  expect(never.headers.get('retry-after')).toBe('1')
  expect(never.body).toMatchObject({ code: 503 })
})

test('whoever claims, renews and lets go of the same segments at once waits for nobody who waits for them', async () => {
  const postgres = await startPostgres({ settings: ['deadlock_timeout=50ms'] })
  onTestFinished(() => postgres.stop())
  const [one, other] = [1, 2].map(() => connect({ url: postgres.url }, { max: 8 })) as [Sql, Sql]
  const fileId = newId('file')
  await one.unsafe(`
    insert into organizations (id, name) values ('org_1', 'One');
    insert into projects (id, org_id, name) values ('prj_1', 'org_1', 'One');
    insert into files (id, project_id, kind, name, upload_expires) values ('${fileId}', 'prj_1', 'video', 'film', now())`)
  const renditions = ['v360', 'v720', 'a1']
  const all = [
    { sql: one, renditions, holder: 'one' },
    { sql: other, renditions: renditions.toReversed(), holder: 'other' },
  ]
  // No claim holds for a moment: each is taken over by the next who asks.
  const turns = all.map(async ({ sql, holder, renditions }) => {
    for (let i = 0; i < 40; i++)
      await Promise.all([
        claimSegments(sql, { fileId, renditions, first: 0, end: 120, holder }, 0),
        renewClaims(sql, holder, 0),
        renewClaims(sql, holder, 0),
        ...(i % 5 === 4 ? [releaseClaims(sql, holder)] : []),
      ])
  })
  await Promise.all(turns)
  // What connections have counted is told when they end, at the latest.
  await Promise.all([one.end(), other.end()])
  const [seen] = await postgres.sql<{ deadlocks: number }[]>`
    select deadlocks::int from pg_stat_database where datname = current_database()`
  expect(seen!.deadlocks).toBe(0)
})

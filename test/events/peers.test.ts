import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { EventsUnavailable } from '../../server/platform/events/errors.ts'
import { joinPeers, missedErasures, type PeersOptions } from '../../server/platform/events/peers.ts'
import type { ErasedEvents } from '../../server/platform/events/port.ts'
import { connect, lockWhile } from '../../server/platform/postgres/client.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { startPostgres } from '../support/postgres.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  postgres = await startPostgres()
  await migrate(postgres.sql)
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  await postgres.sql`delete from event_loaders`
  await postgres.sql`delete from event_erasures`
})

/** A process, as far as the others can tell: with connections of its own. */
async function join(spool: string, flush = async () => {}, options: Partial<PeersOptions> = {}) {
  const sql = connect({ url: postgres.url }, { max: 2 })
  const erase = async () => {}
  const peers = await joinPeers(sql, { spool, flush, erase, erasedTo: 0, onError: () => {}, ...options })
  onTestFinished(async () => {
    await peers.leave()
    await sql.end({ timeout: 1 })
  })
  return peers
}

test('alone, nobody is waited for', async () => {
  let flushes = 0
  const alone = await join('alone', async () => {
    flushes++
  })
  await alone.askPeers()
  expect(flushes).toBe(0)
})

test('what others have taken before is loaded when the answer is there', async () => {
  const taken = { b: 0, c: 0 }
  const loaded = { b: 0, c: 0 }
  const flush = (name: 'b' | 'c') => async () => {
    const upTo = taken[name]
    await sleep(Math.random() * 20)
    loaded[name] = upTo
  }
  const asker = await join('a')
  const other = await join('b', flush('b'))
  await join('c', flush('c'))
  // Many at once, and more taken all the time: no answer may come from a flush that began too early.
  await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      await sleep(i * 5)
      const before = { b: ++taken.b, c: ++taken.c }
      await (i % 3 ? asker : other).askPeers()
      expect(loaded.c).toBeGreaterThanOrEqual(before.c)
      if (i % 3) expect(loaded.b).toBeGreaterThanOrEqual(before.b)
    }),
  )
})

test('who has left or fallen silent is not waited for', async () => {
  const asker = await join('a')
  const leaving = await join('b', () => new Promise(() => {}))
  await leaving.leave()
  await postgres.sql`insert into event_loaders (spool, seen_at) values ('gone', now() - interval '11 seconds')`
  await asker.askPeers()
  // Falls silent while it is waited for.
  await postgres.sql`insert into event_loaders (spool, seen_at) values ('dying', now() - interval '9 seconds')`
  await asker.askPeers()
})

test('one that cannot load makes the question fail, not hang; it answers when it can', async () => {
  let away = true
  const asker = await join('a', undefined, { patienceMs: 100 })
  await join('b', async () => {
    if (away) throw new EventsUnavailable('away')
  })
  await expect(asker.askPeers()).rejects.toBeInstanceOf(EventsUnavailable)
  away = false
  await asker.askPeers()
})

test('what is erased goes out of the spools of all who are there, and of others when they come', async () => {
  const erased: Record<string, ErasedEvents[]> = { a: [], b: [] }
  const eraser = (name: string) => async (all: ErasedEvents[]) => {
    await sleep(20)
    erased[name]!.push(...all)
  }
  const asker = await join('a', undefined, { erase: eraser('a') })
  await join('b', undefined, { erase: eraser('b') })
  const ofAnn = { organization: 'org', project: 'one', viewer: 'ann' }
  const ofAll = { organization: 'org', project: 'two' }
  await Promise.all([asker.erase(ofAnn), asker.erase(ofAll)])
  const both = expect.arrayContaining([ofAnn, ofAll])
  expect(erased).toEqual({ a: both, b: both })
  expect([erased.a, erased.b].map((all) => all!.length)).toEqual([2, 2])

  const missed = await missedErasures(postgres.sql, 'late')
  expect(missed.erased).toEqual(both)
  await join('late', undefined, { erasedTo: missed.erasedTo, erase: eraser('b') })
  expect((await missedErasures(postgres.sql, 'late')).erased).toEqual([])
  await asker.erase(ofAnn)
  expect(erased.a).toHaveLength(3)
  expect(erased.b).toHaveLength(4)
})

test('connections that are lost are made again', async () => {
  let flushes = 0
  const asker = await join('a')
  await join('b', async () => {
    flushes++
  })
  await postgres.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  while (
    !(await asker.askPeers().then(
      () => true,
      () => false,
    ))
  )
    await sleep(20)
  expect(flushes).toBeGreaterThan(0)
})

test('of many who want the lock one has it, also after an error', async () => {
  const pools = [1, 2, 3].map(() => connect({ url: postgres.url }, { max: 2 }))
  let [inside, most, times] = [0, 0, 0]
  await Promise.allSettled(
    Array.from({ length: 12 }, (_, i) =>
      lockWhile(pools[i % 3]!, 'a name', async () => {
        most = Math.max(most, ++inside)
        await sleep(5)
        inside--
        times++
        if (i % 4 === 0) throw new Error('failed')
      }),
    ),
  )
  expect([most, times]).toEqual([1, 12])
  for (const pool of pools) await pool.end({ timeout: 1 })
})

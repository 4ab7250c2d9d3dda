import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { startPostgres } from '../support/postgres.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let sql: Sql
beforeAll(async () => {
  postgres = await startPostgres({ settings: ['deadlock_timeout=100ms'] })
  sql = connect({ url: postgres.url }, { max: 10 })
  await sql.unsafe(`
    create table pair (id int primary key, changed int not null default 0);
    insert into pair values (1), (2);
    -- Unlike rows, it keeps what was counted by those that were undone.
    create sequence tries`)
})
afterAll(async () => {
  await sql.end()
  await postgres.stop()
})

const triesSoFar = async () => (await sql<{ n: number }[]>`select last_value::int as n from tries`)[0]!.n
const changes = async () =>
  (await sql<{ changed: number }[]>`select changed from pair order by id`).map(({ changed }) => changed)

test('of two statements that wait for each other both are done, one of them again', async () => {
  await sql`select setval('tries', 1)`
  const before = await changes()
  const other = connect({ url: postgres.url }, { max: 2 })
  onTestFinished(() => other.end())
  const inOrder = (client: Sql, first: number, second: number) =>
    client.unsafe(`
    do $$ begin
      perform nextval('tries');
      update pair set changed = changed + 1 where id = ${first};
      perform pg_sleep(0.3);
      update pair set changed = changed + 1 where id = ${second};
    end $$`)
  await Promise.all([inOrder(sql, 1, 2), inOrder(other, 2, 1)])
  expect(await changes()).toEqual(before.map((changed) => changed + 2))
  // One that comes back before the other has what it waits for meets it again.
  expect(await triesSoFar()).toBeGreaterThan(3)
})

test('of two transactions that wait for each other both are kept, one of them again', async () => {
  const before = await changes()
  let calls = 0
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const inOrder = (mine: number, other: number) =>
    sql.begin(async (tx) => {
      calls++
      await tx`update pair set changed = changed + 1 where id = ${mine}`
      held[mine - 1]!.resolve()
      await held[other - 1]!.promise
      await tx`update pair set changed = changed + 1 where id = ${other}`
      return mine
    })
  expect(await Promise.all([inOrder(1, 2), inOrder(2, 1)])).toEqual([1, 2])
  expect(await changes()).toEqual(before.map((changed) => changed + 2))
  expect(calls).toBeGreaterThan(2)
})

test('transactions that could not have happened one after the other are tried until they have', async () => {
  const before = await changes()
  let calls = 0
  const both = Promise.withResolvers<void>()
  const addUp = (id: number) =>
    sql.begin(async (tx) => {
      await tx`set transaction isolation level serializable`
      const [sum] = await tx<{ of: number }[]>`select sum(changed)::int as of from pair`
      if (++calls === 2) both.resolve()
      await both.promise
      await tx`update pair set changed = ${sum!.of} where id = ${id}`
    })
  await Promise.all([addUp(1), addUp(2)])
  const [a, b] = before as [number, number]
  expect([
    [a + b, a + b + b],
    [a + b + a, a + b],
  ]).toContainEqual(await changes())
  expect(calls).toBeGreaterThan(2)
})

test('what is undone each time is given up in the end, and says why', async () => {
  let calls = 0
  const failure = await sql
    .begin(async (tx) => {
      calls++
      await tx.unsafe(`do $$ begin raise 'not now' using errcode = '40P01'; end $$`)
    })
    .catch((error) => error)
  expect(failure).toMatchObject({ code: '40P01', message: 'not now' })
  expect(calls).toBe(5)
})

test('what another transaction in its body was refused is no reason to do it again', async () => {
  let calls = 0
  const refusal = Object.assign(new Error('of another'), { code: '40P01' })
  const failure = await sql
    .begin(async (tx) => {
      calls++
      await tx`select 1`
      await sleep(1)
      throw refusal
    })
    .catch((error) => error)
  expect(failure).toBe(refusal)
  expect(calls).toBe(1)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connect, isOutage, type Sql } from '../../server/platform/postgres/client.ts'
import { startPostgres } from '../support/postgres.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let sql: Sql
beforeAll(async () => {
  postgres = await startPostgres()
  sql = postgres.sql
  await sql`create table things (id int primary key, name text, made timestamptz, open boolean, about jsonb)`
})
afterAll(() => postgres.stop())

function client(max: number): Sql {
  const own = connect({ url: postgres.url }, { max })
  onTestFinished(() => own.end())
  return own
}

const failure = (promise: PromiseLike<unknown>) =>
  promise.then(
    () => 'none',
    (error: Error) => error,
  )

test('values come back as they were sent', async () => {
  const bytes = Buffer.from([0, 1, 92, 255])
  const at = new Date('2026-01-02T03:04:05.678Z')
  const [row] = await sql`
    select ${7}::int as whole, ${2 ** 52}::bigint as large, ${0.25}::float8 as part, ${true} as yes, ${null}::text as nothing,
      ${'it\'s "so" \\ \n'}::text as text, ${at} as at, ${bytes} as bytes, ${new Uint8Array([5, 6]).subarray(1)} as view,
      ${sql.json({ a: [1, null, 'ü'] })} as object, ${sql.json('text')} as json_text, 12345678901234567890.5 as exact`
  expect(row).toEqual({
    ...{ whole: 7, large: 2 ** 52, part: 0.25, yes: true, nothing: null, text: 'it\'s "so" \\ \n' },
    ...{ at: '2026-01-02T03:04:05.678Z', bytes, view: Buffer.from([6]) },
    ...{ object: { a: [1, null, 'ü'] }, json_text: 'text', exact: '12345678901234567890.5' },
  })
})

test('arrays come back as they were sent, whatever is in them', async () => {
  const texts = ['', 'plain', 'NULL', 'a,b', '{x}', 'say "it"', 'back\\slash', ' space ', 'ü', null]
  const [row] = await sql`
    select ${texts}::text[] as texts, ${[1, -2]}::int[] as whole, ${[2 ** 40, null]}::bigint[] as large, ${[]}::text[] as none,
      ${[true, false]}::boolean[] as choices, ${[Buffer.from([0, 34, 92])]}::bytea[] as bytes,
      ${[[1, 2], [3, 4]]}::int[] as nested, ${[new Date(0)]}::timestamptz[] as times, array['{"a": 1}'::jsonb] as objects`
  expect(row).toEqual({
    ...{ texts, whole: [1, -2], large: [2 ** 40, null], none: [], choices: [true, false] },
    ...{
      bytes: [Buffer.from([0, 34, 92])],
      nested: [
        [1, 2],
        [3, 4],
      ],
      times: ['1970-01-01T00:00:00.000Z'],
    },
    objects: [{ a: 1 }],
  })
})

test('what is not a value is refused, and nothing is sent', async () => {
  const missing = undefined as unknown as string
  const refusals = [
    sql`select ${missing}`,
    sql`select ${{ a: 1 } as never}`,
    sql`select ${[missing]}::text[]`,
    sql`insert into things ${sql({ id: 1, name: missing })}`,
    sql`select ${sql({ id: 1 })}`,
    sql`select ${new Date(Number.NaN)}`,
  ]
  for (const refused of refusals) expect(await failure(refused)).toBeInstanceOf(Error)
  expect(() => sql([])).toThrow('no columns')
  expect(() => sql.json(undefined)).toThrow('JSON')
  const many = Array.from({ length: 40_000 }, (_, id) => ({ id, name: 'x' }))
  expect(await failure(sql`insert into things ${sql(many)}`)).toBeInstanceOf(RangeError)
  expect(await sql`select count(*) as count from things`).toEqual([{ count: 0 }])
})

test('parts make up a statement, and rows its columns', async () => {
  const tx = client(4)
  const at = new Date('2026-01-02T03:04:05Z')
  const inserted = await tx`
    insert into things ${tx([
      { id: 1, name: 'one', made: at, open: null, about: tx.json([1]) },
      { id: 2, name: 'two', made: null, open: true, about: null },
    ])}`
  expect(inserted.count).toBe(2)
  expect([...inserted]).toEqual([])
  const only = (id: number) => tx`id = ${id} ${id > 1 ? tx`and ${true}` : tx``}`
  const changed = await tx`
    update things set ${tx({ name: 'changed', open: false, made: tx`made + interval '1 day'`, id: 9 }, 'name', 'open', 'made')}
    where ${only(1)} or ${tx.unsafe('false')} returning *`
  expect(changed).toEqual([
    { id: 1, name: 'changed', made: '2026-01-03T03:04:05.000Z', open: false, about: [1] },
  ])
  expect(await tx`select name from things where ${only(2)}`).toEqual([{ name: 'two' }])
  await tx`insert into things ${tx({ id: 3, name: 'three', other: 'left out' }, 'id', 'name')}`
  expect((await tx`delete from things`).count).toBe(3)
})

test('a statement runs when it is first waited for, and once', async () => {
  const counted = sql`insert into things (id) values (50)`
  expect(await sql`select from things where id = 50`).toHaveLength(0)
  await Promise.all([counted, counted, counted.catch(() => {}), counted.finally(() => {})])
  expect((await sql`delete from things where id = 50`).count).toBe(1)
})

test('several statements in one text answer as the last of them', async () => {
  expect(await sql.unsafe('select 1 as one; select 2 as two')).toEqual([{ two: 2 }])
  expect(await failure(sql.unsafe('select 1; nonsense'))).toMatchObject({ code: '42601' })
})

test('a large answer is whole, and what is behind it waits its turn', async () => {
  const own = client(2)
  const [many, one] = await Promise.all([
    own<{ i: number; text: string }[]>`select i, repeat('x', 1000) as text from generate_series(1, 20000) i`,
    own`select 1 as one`,
  ])
  expect(many).toHaveLength(20_000)
  expect(many.every(({ i, text }, at) => i === at + 1 && text.length === 1000)).toBe(true)
  expect(one).toEqual([{ one: 1 }])
})

test('a statement that fails in a pipeline fails alone', async () => {
  const own = client(2)
  const asked = Array.from({ length: 200 }, (_, i) => {
    if (i % 10 === 3) return own`select ${i} / 0 as number`
    if (i % 10 === 5) return own`select ${'x'}::int as number, ${i}::int`
    if (i % 10 === 7) return own`select number from no_such_table where number = ${i}`
    return own`select ${i}::int as number`
  })
  const outcomes = await Promise.allSettled(asked)
  outcomes.forEach((outcome, i) => {
    const code = { 3: '22012', 5: '22P02', 7: '42P01' }[i % 10]
    if (code) expect(outcome).toMatchObject({ status: 'rejected', reason: { code } })
    else expect(outcome).toEqual({ status: 'fulfilled', value: [{ number: i }] })
  })
})

test('a change of the schema is seen, also by what was prepared before', async () => {
  const own = client(4)
  await own`create table shapes (id int)`
  await own`insert into shapes values (1)`
  const all = () => own`select * from shapes`
  await Promise.all(Array.from({ length: 20 }, all))
  await own`alter table shapes add column name text default 'new'`
  const read = await Promise.all(Array.from({ length: 20 }, all))
  expect(read.every((rows) => rows[0]!.name === 'new')).toBe(true)
  await own.begin(async (tx) => {
    await tx`alter table shapes drop column name`
    expect(await tx`select id from shapes`).toEqual([{ id: 1 }])
  })
  expect(await all()).toEqual([{ id: 1 }])
})

test('more different statements than are given names work too', { timeout: 120_000 }, async () => {
  const own = client(2)
  const numbers = Array.from({ length: 1300 }, (_, i) => i)
  const ask = (i: number) => own`select ${own.unsafe(String(i))} + ${1}::int as number`
  for (let round = 0; round < 2; round++) {
    const rows = await Promise.all(numbers.map(ask))
    expect(rows.map(([row]) => row!.number)).toEqual(numbers.map((i) => i + 1))
  }
  const [kept] = await own`select count(*) as names from pg_prepared_statements`
  expect(kept!.names).toBeLessThanOrEqual(1001)
})

test('a transaction in which a statement failed keeps nothing, also where nobody looked', async () => {
  const own = client(2)
  const caught = own.begin(async (tx) => {
    await tx`insert into things (id) values (60)`
    await tx`select 1 / 0`.catch(() => {})
  })
  expect(await failure(caught)).toMatchObject({ code: '22012' })
  const left = own.begin(async (tx) => {
    await tx`insert into things (id) values (61)`
    void Promise.allSettled([tx`select 1 / 0`])
  })
  expect(await failure(left)).toMatchObject({ code: '22012' })
  const thrown = own.begin(async (tx) => {
    await tx`insert into things (id) values (62)`
    throw new Error('no')
  })
  expect(await failure(thrown)).toMatchObject({ message: 'no' })
  expect(await own`select id from things where id >= 60`).toEqual([])
  expect(await own.begin((tx) => [tx`select 1 as one`, tx`select 2 as two`])).toEqual([
    [{ one: 1 }],
    [{ two: 2 }],
  ])
})

test('a transaction that has ended takes no more', async () => {
  const own = client(2)
  const late = await own.begin((tx) => ({ tx }))
  expect(await failure(late.tx`insert into things (id) values (70)`)).toMatchObject({
    message: 'the transaction has ended',
  })
  expect(await own`select id from things where id = 70`).toEqual([])
})

test('transactions take turns, and plain statements do not wait for them', async () => {
  const own = client(2)
  const order: number[] = []
  let goOn = () => {}
  const told = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const all = Array.from({ length: 12 }, (_, i) =>
    own.begin(async (tx) => {
      await told
      await tx`select 1`
      order.push(i)
    }),
  )
  expect(await Promise.all(Array.from({ length: 50 }, () => own`select 1 as one`))).toHaveLength(50)
  goOn()
  await Promise.all(all)
  expect(order).toEqual(Array.from({ length: 12 }, (_, i) => i))
})

test('a slow statement does not hold up those that come after it', async () => {
  const own = client(4)
  await Promise.all(Array.from({ length: 50 }, () => own`select pg_sleep(0.01)`))
  let isOver = false
  const slow = own`select pg_sleep(120)`.then(
    () => 'slept',
    () => 'cancelled',
  )
  slow.then(() => {
    isOver = true
  })
  for (let i = 0; i < 100; i++) {
    await Promise.all([own`select 1`, own`select 2`])
    if (i === 50) await sleep(60)
  }
  expect(isOver).toBe(false)
  await postgres.sql`select pg_cancel_backend(pid) from pg_stat_activity where query = 'select pg_sleep(120)'`
  expect(await slow).toBe('cancelled')
  expect(await own`select 1 as one`).toEqual([{ one: 1 }])
})

test('a transaction opened by a plain statement swallows nothing', async () => {
  const own = client(2)
  await failure(own`begin`)
  await failure(own`insert into things (id) values (80)`)
  const written = await own`insert into things (id) values (81)`
  expect(written.count).toBe(1)
  expect(await postgres.sql`select id from things where id = 81`).toEqual([{ id: 81 }])
})

test('notices are heard, also after the connection was lost', async () => {
  const own = client(2)
  const heard: string[] = []
  let listened = 0
  const one = await own.listen(
    'a "channel"',
    (payload) => heard.push(payload),
    () => listened++,
  )
  expect(listened).toBe(1)
  await own.notify('a "channel"', 'first')
  while (heard.length < 1) await sleep(5)
  await postgres.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and pid <> pg_backend_pid()`
  while (listened < 2) await sleep(5)
  await own.notify('a "channel"', 'second')
  while (heard.length < 2) await sleep(5)
  await one.unlisten()
  await own.notify('a "channel"', 'third')
  const again = await own.listen('a "channel"', (payload) => heard.push(payload))
  await own.notify('a "channel"', 'fourth')
  while (heard.length < 3) await sleep(5)
  expect(heard).toEqual(['first', 'second', 'fourth'])
  await again.unlisten()
})

test('the end waits for what is under way, and not for ever', async () => {
  const own = connect({ url: postgres.url }, { max: 2 })
  const quick = own`select pg_sleep(0.2), 1 as one`.then(([row]) => row)
  await own.end()
  expect(await quick).toMatchObject({ one: 1 })
  expect(isOutage(await failure(own`select 1`))).toBe(true)
  expect(isOutage(await failure(own.begin(() => 1)))).toBe(true)

  // Short ones end it while it is still connecting, or has just begun.
  for (const timeout of [0.3, 0.05, 0.03, 0.02, 0.02, 0.02, 0.01, 0.005, 0]) {
    const stuck = connect({ url: postgres.url }, { max: 2 })
    await stuck.listen('any', () => {})
    const outcomes = Promise.all([
      failure(stuck`select pg_sleep(600)`),
      failure(stuck.begin((tx) => tx`select pg_sleep(600)`)),
      failure(stuck.begin(() => new Promise(() => {}))),
    ])
    await stuck.end({ timeout })
    expect((await outcomes).map(isOutage), `${timeout} s`).toEqual([true, true, true])
  }
})

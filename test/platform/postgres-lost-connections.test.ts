import net, { type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect, isOutage, type Sql } from '../../server/platform/postgres/client.ts'
import { startPostgres } from '../support/postgres.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  postgres = await startPostgres()
  await postgres.sql`create table steps (story int not null, step int not null)`
})
afterAll(() => postgres.stop())
beforeEach(() => postgres.sql`truncate steps`)

const terminateAllBut = (sql: Sql) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`

test('a transaction whose connection is ended while it asks fails, and the next one works', async () => {
  const sql = connect({ url: postgres.url }, { max: 1 })
  for (let round = 0; round < 5; round++) {
    const lost = sql.begin(async (tx) => {
      await tx`insert into steps values (1, 1)`
      await tx`select pg_sleep(60)`
    })
    const failure = lost.catch((error) => error)
    while (!(await isAsleep())) await new Promise(setImmediate)
    await terminateAllBut(postgres.sql)
    expect(isOutage(await failure)).toBe(true)
    expect(await sql.begin((tx) => tx`select 1 as one`)).toEqual([{ one: 1 }])
  }
  expect(await postgres.sql`select * from steps`).toEqual([])
  await sql.end()
})

async function isAsleep(): Promise<boolean> {
  const [row] = await postgres.sql`
    select exists (select from pg_stat_activity where wait_event = 'PgSleep') as asleep`
  return row!.asleep
}

test('what a lost transaction still says is not heard by the one that comes after it', async () => {
  const sql = connect({ url: postgres.url }, { max: 1 })
  let goOn = () => {}
  const told = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const late: unknown[] = []
  const lost = sql.begin(async (tx) => {
    await tx`insert into steps values (1, 1)`
    begun()
    await told
    for (const step of [2, 3])
      await tx`insert into steps values (1, ${step})`.catch((error) => late.push(error))
    throw new Error('rolled back')
  })
  const failure = lost.catch((error) => error)
  await isBegun
  await terminateAllBut(postgres.sql)
  expect(isOutage(await failure)).toBe(true)
  await sql.begin(async (tx) => {
    await tx`insert into steps values (2, 1)`
    goOn()
    while (late.length < 2) await tx`select 1`
    await tx`insert into steps values (2, 2)`
  })
  expect(late.every(isOutage)).toBe(true)
  expect(await postgres.sql`select story, step from steps order by step`).toEqual([
    { story: 2, step: 1 },
    { story: 2, step: 2 },
  ])
  await sql.end()
})

/** Stands before the database and cuts a connection once so many bytes of its answers are through. */
async function cuttingProxy(bytes: number, cut: (client: Socket) => void) {
  let allowed = bytes
  const server = net.createServer((client) => {
    const database = net.connect(Number(new URL(postgres.url).port), '127.0.0.1')
    let left = allowed
    const pass = (answer: Buffer) => {
      if (allowed === Number.POSITIVE_INFINITY) left = allowed
      client.write(answer.subarray(0, left))
      left -= answer.length
      if (left > 0) return
      database.destroy()
      cut(client)
    }
    for (const socket of [client, database]) socket.on('error', () => {})
    client.on('data', (chunk) => database.write(chunk))
    client.on('close', () => database.destroy())
    database.on('data', pass)
    if (left === 0) pass(Buffer.alloc(0))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(postgres.url)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    cutNoMore() {
      allowed = Number.POSITIVE_INFINITY
    },
    close: () => server.close(),
  }
}

/** Asks and writes through connections that are cut, then through the same pool when they hold. */
async function tell(story: number, bytes: number, cut: (client: Socket) => void) {
  const proxy = await cuttingProxy(bytes, cut)
  const sql = connect({ url: proxy.url }, { max: 2 })
  const asked = [1, 2, 3].map((number) => sql`select ${number}::int as number, ${'x'.repeat(300)} as text`)
  const written = [0, 1, 2].map((part) =>
    sql.begin((tx) => [
      tx`insert into steps values (${story + part}, 1)`,
      tx`insert into steps values (${story + part}, 2)`,
    ]),
  )
  const outcomes = await Promise.allSettled([...written, ...asked])
  proxy.cutNoMore()
  // Each of the connections may be one that was cut a moment ago.
  for (let i = 0; i < 3; i++) await sql`select 1`.catch(() => {})
  expect(await Promise.all([1, 2, 3].map((one) => sql`select ${one}::int as one`))).toHaveLength(3)
  await sql.end()
  proxy.close()
  return {
    failures: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
    kept: [0, 1, 2].filter((part) => outcomes[part]!.status === 'fulfilled').map((part) => story + part),
  }
}

test.each([
  ['closed', (client: Socket) => client.end()],
  ['reset', (client: Socket) => client.resetAndDestroy()],
])(
  'a connection %s after any number of bytes: all is answered, and kept whole or not at all',
  async (_, cut) => {
    const points = Array.from({ length: 120 }, (_, i) => (i < 80 ? i * 11 : i * 130 - 9500))
    const told = []
    for (let i = 0; i < points.length; i += 20)
      told.push(
        ...(await Promise.all(points.slice(i, i + 20).map((point, j) => tell((i + j) * 3, point, cut)))),
      )
    const failures = told.flatMap((one) => one.failures)
    expect(failures.length).toBeGreaterThan(100)
    expect(failures.filter((error) => !isOutage(error))).toEqual([])
    const stored = await postgres.sql<{ story: number; steps: number }[]>`
    select story, count(*)::int as steps from steps group by story`
    expect(stored.filter(({ steps }) => steps !== 2)).toEqual([])
    const known = new Set(stored.map(({ story }) => story))
    expect(told.flatMap((one) => one.kept).filter((story) => !known.has(story))).toEqual([])
  },
)

test('under overload, transactions and writes that are acknowledged are there for everybody', async () => {
  const sql = connect({ url: postgres.url }, { max: 10 })
  // Waited for one by one, so that all are under way when the first transaction begins.
  const readMany = () =>
    Promise.allSettled(
      Array.from({ length: 1000 }, (_, i) => sql`select ${i}::int as number`.then(([row]) => row)),
    )
  await readMany()
  const read = readMany()
  const written = Promise.allSettled(
    Array.from({ length: 10 }, (_, i) =>
      sql.begin(async (tx) => {
        await tx`insert into steps values (${i}, 1)`
        await tx`insert into steps values (${i}, 2)`
      }),
    ),
  )
  const inserted = Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => sql`insert into steps values (${100 + i}, 1)`),
  )
  const outcomes = [...(await read), ...(await written), ...(await inserted)]
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  const late = await Promise.all(
    Array.from({ length: 20 }, (_, i) => sql`insert into steps values (${200 + i}, 1)`),
  )
  expect(late.map(({ count }) => count)).toEqual(Array(20).fill(1))
  const seen = await postgres.sql<{ story: number; steps: number }[]>`
    select story, count(*)::int as steps from steps group by story order by story`
  expect(seen).toEqual([
    ...Array.from({ length: 10 }, (_, i) => ({ story: i, steps: 2 })),
    ...Array.from({ length: 20 }, (_, i) => ({ story: 100 + i, steps: 1 })),
    ...Array.from({ length: 20 }, (_, i) => ({ story: 200 + i, steps: 1 })),
  ])
  expect(
    await postgres.sql`select pid from pg_stat_activity where state like 'idle in transaction%'`,
  ).toEqual([])
  await sql.end()
})

test('the server looks whether a machine is still there, and gives up what it held', async () => {
  const looks = async (url: string) => {
    const sql = connect({ url }, { max: 1 })
    const names = [
      'tcp_user_timeout',
      'tcp_keepalives_idle',
      'tcp_keepalives_interval',
      'tcp_keepalives_count',
    ]
    // As its socket has them, not as they were asked for.
    const rows = await sql<{ setting: string }[]>`
      select current_setting(name) as setting from unnest(${names}::text[]) with ordinality as names (name, at) order by at`
    await sql.end()
    return rows.map(({ setting }) => setting)
  }
  expect(await looks(postgres.url)).toEqual(['30000', '10', '5', '4'])
  const own = new URL(postgres.url)
  own.searchParams.set('options', '-c tcp_keepalives_idle=7')
  expect(await looks(own.href)).toEqual(['30000', '7', '5', '4'])
})

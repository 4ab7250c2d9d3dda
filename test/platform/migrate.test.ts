import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { connect } from '../../server/platform/postgres/client.ts'
import { embeddedSocket } from '../../server/platform/postgres/embedded.ts'
import { isCurrent, migrate } from '../../server/platform/postgres/migrate.ts'
import { openDatabase } from '../../server/start/engines/database.ts'
import { discard, freshDataDir } from '../support/service.ts'

async function emptyDatabase() {
  const dataDir = freshDataDir()
  const { sql, close } = await openDatabase(loadConfig({ MARQUEE_DATA_DIR: dataDir }), () => {})
  onTestFinished(async () => {
    await close()
    discard(dataDir)
  })
  // The folder comes with a schema of today.
  await sql.unsafe('drop schema public cascade; create schema public')
  return { sql, dataDir }
}

test('ten that start together migrate once, and one that was changed afterwards is refused by its name', async () => {
  const { sql, dataDir } = await emptyDatabase()
  const ten = Array.from({ length: 10 }, () => connect({ socket: embeddedSocket(dataDir) }, { max: 1 }))
  const told: string[] = []
  await Promise.all(ten.map((one) => migrate(one, (message) => told.push(message))))
  expect(told).toEqual([])
  await Promise.all(ten.map((one) => one.end()))
  expect(await isCurrent(sql)).toBe(true)
  const applied = await sql<{ version: number; times: number }[]>`
    select version, count(*)::int as times from schema_migrations group by version having count(*) <> 1 or min(sha256) is null`
  expect(applied).toEqual([])

  // One that can be applied again: whoever waits for a database that is in use hears what is done to it.
  await sql`delete from schema_migrations where version = 32`
  await migrate(sql, (message) => told.push(message))
  expect(told).toEqual([
    expect.stringMatching(/^upgrading the database, schema 32 of \d+; a large one takes minutes …$/),
  ])

  const [kept] = await sql<{ sha256: string }[]>`select sha256 from schema_migrations where version = 20`
  await sql`update schema_migrations set sha256 = ${'0'.repeat(64)} where version = 20`
  await expect(migrate(sql)).rejects.toThrow('migrations/0020_post_places.sql is not what was applied')

  // A database of a version that kept no hashes.
  await sql`alter table schema_migrations drop column sha256`
  await migrate(sql)
  expect(await sql`select sha256 from schema_migrations where version = 20`).toEqual([kept])
})

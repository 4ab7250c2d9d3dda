import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { migrate } from '../../server/platform/postgres/migrate.ts'
import { openDatabase } from '../../server/start/engines/database.ts'
import { discard, freshDataDir, root } from '../support/service.ts'

const FOLDER = path.join(root, 'migrations')
const BEFORE_ACCOUNTS = 7

async function databaseFromBefore() {
  const dataDir = freshDataDir()
  const config = loadConfig({ MARQUEE_DATA_DIR: dataDir })
  const database = await openDatabase(config, () => {})
  onTestFinished(async () => {
    await database.close()
    discard(dataDir)
  })
  const { sql } = database
  // The folder comes with a schema of today.
  await sql.unsafe('drop schema public cascade; create schema public')
  await sql`create table schema_migrations (
    version integer primary key, name text not null, applied_at timestamptz not null default now())`
  for (const file of readdirSync(FOLDER).sort()) {
    const version = Number(file.slice(0, 4))
    if (!(version <= BEFORE_ACCOUNTS)) continue
    await sql.unsafe(readFileSync(path.join(FOLDER, file), 'utf8'))
    await sql`insert into schema_migrations (version, name) values (${version}, ${file})`
  }
  return sql
}

test('accounts from before: the invited are confined to their organizations, nobody loses a membership', async () => {
  const sql = await databaseFromBefore()
  await sql`insert into organizations (id, name) values ('org_a', 'a'), ('org_b', 'b')`
  await sql`
    insert into users (id, email, password_hash, email_verified) values
      ('user_operator', 'operator@a.example', 'h1', true), ('user_one', 'one@a.example', 'h2', false),
      ('user_two', 'two@a.example', 'h3', false), ('user_none', 'none@a.example', 'h4', false)`
  await sql`
    insert into memberships (org_id, user_id, role, created_at) values
      ('org_a', 'user_operator', 'owner', now()), ('org_b', 'user_operator', 'owner', now()),
      ('org_a', 'user_one', 'member', now()),
      ('org_a', 'user_two', 'member', '2026-02-02'), ('org_b', 'user_two', 'owner', '2026-01-01')`
  await sql`
    insert into policies (id, org_id, name, description, permissions, created_by) values
      ('pol_a', 'org_a', 'p', '', '{videos:read}', 'x'), ('pol_b', 'org_b', 'p', '', '{images:read}', 'x')`
  await sql`
    insert into policy_attachments (id, policy_id, org_id, user_id) values
      ('att_a', 'pol_a', 'org_a', 'user_two'), ('att_b', 'pol_b', 'org_b', 'user_two')`
  await sql`insert into sessions (id, user_id, expires_at) values ('sess_x', 'user_two', now() + interval '1 day')`

  await migrate(sql)
  const members = await sql`
    select u.email, u.password_hash, u.confined_to, u.email_verified, m.org_id, m.role, m.status, u.id = 'user_two' as kept,
      array(select policy_id from policy_attachments a where a.user_id = u.id) as policies
    from users u join memberships m on m.user_id = u.id order by u.email, m.org_id`
  const member = (email: string, password_hash: string, org_id: string, role: string, rest: object) => ({
    email,
    password_hash,
    org_id,
    role,
    status: 'active',
    kept: false,
    policies: [],
    ...rest,
  })
  const proved = { confined_to: null, email_verified: true }
  const confined = (to: string) => ({ confined_to: to, email_verified: false })
  expect([...members]).toEqual([
    member('one@a.example', 'h2', 'org_a', 'member', confined('org_a')),
    member('operator@a.example', 'h1', 'org_a', 'owner', proved),
    member('operator@a.example', 'h1', 'org_b', 'owner', proved),
    member('two@a.example', 'h3', 'org_a', 'member', { ...confined('org_a'), policies: ['pol_a'] }),
    member('two@a.example', 'h3', 'org_b', 'owner', {
      ...confined('org_b'),
      kept: true,
      policies: ['pol_b'],
    }),
  ])
  expect(await sql`select from users where email = 'none@a.example'`).toHaveLength(0)
  const [split] = await sql`select id from users where email = 'two@a.example' and confined_to = 'org_a'`
  expect(split!.id).toMatch(/^user_[0-9a-f]{26}$/)
})

import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { connect, type Sql } from '../../server/platform/postgres/client.ts'
import { deny, newBucket } from '../platform/objects-s3-server.ts'
import { createDatabase } from '../support/postgres.ts'
import { startDebianPostgres } from '../support/scale/debian-postgres.ts'
import { settingsOf } from '../support/scale/installation.ts'
import { discard, emptyDataDir, failingStart } from '../support/service.ts'

// What each engine refuses ends the start with one line: which address, what it refuses, what to do.

let postgres: Awaited<ReturnType<typeof startDebianPostgres>>
let database: Awaited<ReturnType<typeof createDatabase>>
let sql: Sql
beforeAll(async () => {
  // One that asks for passwords.
  postgres = await startDebianPostgres([], {
    access: 'host all marquee 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256',
  })
  sql = connect({ url: `${postgres.url}/postgres` }, { max: 1 })
  for (const statement of [
    `create role app login password 'right'`,
    `create role other login password 'right'`,
    'create database app owner app',
    'create database older owner app',
  ])
    await sql.unsafe(statement)
  database = await createDatabase()
})
afterAll(async () => {
  await sql.end()
  await postgres.stop()
  await database.drop()
})

async function lastLine(env: Record<string, string>): Promise<string> {
  const dataDir = emptyDataDir()
  const settings = settingsOf(inject('engines')!, database.url, 1)
  const { code, lines } = await failingStart(dataDir, { ...settings, ...env })
  discard(dataDir)
  expect(code).toBe(1)
  return lines.at(-1)!
}

const at = (user: string, password: string, name: string) => {
  const url = new URL(`${postgres.url}/${name}`)
  url.username = user
  url.password = password
  return { url: url.href, host: url.host }
}

test.each([
  [
    'app',
    'wrong',
    'app',
    /refuses the password of "app".+Check user and password in MARQUEE_DATABASE_URL\.$/,
  ],
  ['app', 'right', 'none', /there is no database "none".+createdb "none"/],
  [
    'other',
    'right',
    'app',
    /the user "other".+permission denied.+grant create, usage on schema public to "other"/,
  ],
])('PostgreSQL as %s with the password %s in %s', async (user, password, name, said) => {
  const { url, host } = at(user, password, name)
  const line = await lastLine({ MARQUEE_DATABASE_URL: url })
  expect(line).toMatch(said)
  expect(line).toContain(host)
})

test('a PostgreSQL that is too old', async () => {
  // None is to be had: this one says of itself that it is.
  const older = connect({ url: `${postgres.url}/older` }, { max: 1 })
  await older.unsafe('create schema shadow')
  await older.unsafe(
    `create function shadow.current_setting(text) returns text language sql as $$ select '140010' $$`,
  )
  await older.unsafe('grant usage on schema shadow to app')
  await older.end()
  await sql.unsafe('alter database older set search_path = shadow, pg_catalog, public')
  const line = await lastLine({ MARQUEE_DATABASE_URL: at('app', 'right', 'older').url })
  expect(line).toMatch(/at 127\.0\.0\.1:\d+ is PostgreSQL 14\. Use version 15 or newer/)
})

test('a bucket that is not to be had, written to, or where no server is', async () => {
  const { s3 } = inject('engines')!
  const { host } = new URL(s3.endpoint)
  const wrong = await lastLine({ MARQUEE_S3_SECRET_KEY: 'wrong' })
  expect(wrong).toMatch(/cannot be used: .+MARQUEE_S3_SECRET_KEY/)
  expect(wrong).toContain(host)

  const Bucket = newBucket()
  const client = new S3Client({ ...s3, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket }))
  await deny(client, Bucket, ['s3:PutObject'])
  const readOnly = await lastLine({ MARQUEE_S3_BUCKET: Bucket })
  expect(readOnly).toContain(`the S3 bucket "${Bucket}" at ${s3.endpoint} cannot be used`)
  expect(readOnly).toMatch(/s3:PutObject: .+Allow the key of MARQUEE_S3_ACCESS_KEY s3:PutObject for/)
  for (const right of ['s3:GetObject', 's3:DeleteObject']) {
    await deny(client, Bucket, [right])
    const line = await lastLine({ MARQUEE_S3_BUCKET: Bucket })
    expect(line).toContain(`the S3 bucket "${Bucket}" at ${s3.endpoint} cannot be used: ${right}: `)
    expect(line).toContain(`Allow the key of MARQUEE_S3_ACCESS_KEY ${right} for all objects`)
  }
  client.destroy()

  const nobody = await lastLine({ MARQUEE_S3_ENDPOINT: 'http://127.0.0.1:1' })
  expect(nobody).toMatch(/at http:\/\/127\.0\.0\.1:1 cannot be used: .+Check MARQUEE_S3_ENDPOINT/)
})

test('a Redis that is not there, or does not let in, or not count', async () => {
  expect(await lastLine({ MARQUEE_REDIS_URL: 'redis://127.0.0.1:1' })).toMatch(
    /Redis at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.+Check MARQUEE_REDIS_URL/,
  )
  const { redis } = inject('engines')!
  const client = new Redis(redis)
  await client.call('ACL', 'SETUSER', 'reader', 'on', '>right', '~*', '+@read', '+ping')
  client.disconnect()
  const as = (password: string) => redis.replace('redis://', `redis://reader:${password}@`)
  expect(await lastLine({ MARQUEE_REDIS_URL: as('wrong') })).toMatch(
    /Redis at \S+ refuses the user or its password.+Check MARQUEE_REDIS_URL/,
  )
  expect(await lastLine({ MARQUEE_REDIS_URL: as('right') })).toMatch(
    /Redis at \S+ does not allow the user to count.+ACL SETUSER/,
  )
})

test('a ClickHouse that does not let in, that knows no such cluster, that is too old, or takes no rows', async () => {
  expect(await lastLine({ MARQUEE_CLICKHOUSE_PASSWORD: 'wrong' })).toMatch(
    /ClickHouse at \S+, \S+ refuses what a start does as "marquee".+Check MARQUEE_CLICKHOUSE_USER/,
  )
  const { urls, cluster } = inject('engines')!.clickHouse
  const { host } = new URL(urls[0]!)
  expect(await lastLine({ MARQUEE_CLICKHOUSE_CLUSTER: 'none' })).toContain(
    `ClickHouse server 1 (${host}) knows no cluster "none", but "${cluster}". Check MARQUEE_CLICKHOUSE_CLUSTER`,
  )

  // Neither is to be had: the first server's answers are changed on their way.
  const behind = async (answer: (statement: string) => [status: number, body: string] | undefined) => {
    const changing = await answeringFor(urls[0]!, answer)
    const line = await lastLine({ MARQUEE_CLICKHOUSE_URL: [changing, ...urls.slice(1)].join(',') })
    return { line, at: new URL(changing).host }
  }
  const older = await behind((statement) =>
    statement.includes('version()') ? [200, '{"version":"1.1.54390"}\n'] : undefined,
  )
  expect(older.line).toContain(
    `ClickHouse at ${older.at} is version 1.1.54390. Use 18.16 or newer at MARQUEE_CLICKHOUSE_URL.`,
  )
  const refusing = await behind((statement) =>
    /^INSERT INTO \S+"events" SELECT/.test(statement)
      ? [403, 'Code: 497. DB::Exception: marquee: Not enough privileges.']
      : undefined,
  )
  expect(refusing.line).toContain(`"events" on ${refusing.at}: ClickHouse answers 403: Code: 497`)
  expect(refusing.line).toMatch(/refuses what a start does as "marquee".+the user needs .+INSERT and SELECT/)
})

/** A front before ClickHouse that answers some statements by itself. */
async function answeringFor(
  server: string,
  answer: (statement: string) => [status: number, body: string] | undefined,
): Promise<string> {
  const front = http.createServer(async (request, response) => {
    const body = await buffer(request)
    const own = answer(body.toString())
    if (own) return response.writeHead(own[0]).end(own[1])
    const headers = Object.entries(request.headers).filter(([name]) => /^x-clickhouse|encoding/.test(name))
    const passed = await fetch(server + request.url, {
      method: 'POST',
      headers: headers as [string, string][],
      body: new Uint8Array(body),
    })
    response.writeHead(passed.status).end(Buffer.from(await passed.arrayBuffer()))
  })
  await once(front.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`
}

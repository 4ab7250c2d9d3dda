import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import net, { type AddressInfo, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { translate } from '../../server/platform/objects/s3-errors.ts'
import { connect, isOutage } from '../../server/platform/postgres/client.ts'
import { composeForTest } from '../support/in-process.ts'
import { startPostgres } from '../support/postgres.ts'

async function ownPostgres() {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  return postgres
}

/** Stands before a database, and on demand refuses everybody in the server's own words. */
async function frontOf(databaseUrl: string) {
  const { port } = new URL(databaseUrl)
  const clients = new Set<Socket>()
  let refusal: Buffer | undefined
  const server = net.createServer((client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    if (refusal) return client.once('data', () => client.end(refusal!))
    const database = net.connect(Number(port), '127.0.0.1')
    database.on('error', () => client.destroy())
    client.pipe(database).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  onTestFinished(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return {
    url: url.href,
    refuse(code: string, message: string) {
      refusal = errorResponse({ S: 'FATAL', V: 'FATAL', C: code, M: message })
      for (const client of clients) client.destroy()
    },
    passAgain() {
      refusal = undefined
    },
  }
}

/** The message by which a server ends a connection before it is ready. */
function errorResponse(fields: Record<string, string>): Buffer {
  const body = Object.entries(fields)
    .map(([name, value]) => `${name}${value}\0`)
    .join('')
  const message = Buffer.from(`E\0\0\0\0${body}\0`)
  message.writeInt32BE(message.length - 1, 1)
  return message
}

test('a server that shuts down, starts up or recovers is a 503 that says when to come again', async () => {
  const front = await frontOf((await ownPostgres()).url)
  const { api } = await composeForTest({ env: { MARQUEE_DATABASE_URL: front.url } })
  for (const [code, message] of [
    ['57P01', 'terminating connection due to administrator command'],
    ['57P03', 'the database system is shutting down'],
    ['57P03', 'the database system is starting up'],
    ['57P03', 'the database system is in recovery mode'],
    ['57P03', 'the database system is not yet accepting connections'],
    ['53300', 'sorry, too many clients already'],
  ] as const) {
    expect((await api.get('/project')).status).toBe(200)
    front.refuse(code, message)
    for (let i = 0; i < 3; i++) {
      const { status, headers, body } = await api.get('/project')
      expect({ status, again: headers.get('retry-after'), body }, message).toEqual({
        ...{ status: 503, again: '1', body: { code: 503, error: 'Service Unavailable' } },
      })
    }
    front.passAgain()
    while ((await api.get('/project')).status !== 200) await sleep(20)
  }
})

test('a server that crashes and recovers under requests: each is answered, by what was asked or by a 503', async () => {
  const postgres = await ownPostgres()
  const { api, sql } = await composeForTest({ env: { MARQUEE_DATABASE_URL: postgres.url } })
  let isOver = false
  const seen: Record<number, number> = {}
  const asking = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const { status, headers } = await api.get('/project')
      seen[status] = (seen[status] ?? 0) + 1
      if (status === 503) expect(headers.get('retry-after')).toBe('1')
    }
  })
  for (let round = 0; round < 3; round++) {
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    // All others are ended with it, and whoever comes then is told of the recovery.
    process.kill(backend!.pid, 'SIGKILL')
    while (!(await sql`select 1`.catch(() => undefined))) await sleep(5)
    while ((await api.get('/project')).status !== 200) await sleep(5)
  }
  isOver = true
  await Promise.all(asking)
  expect(Object.keys(seen).filter((status) => !['200', '503'].includes(status))).toEqual([])
  expect(seen[200]).toBeGreaterThan(0)
})

test('what is missing on the disk is a failure, and not an outage', async () => {
  const missing = path.join(os.tmpdir(), 'no such folder', 'no such file')
  const notThere = await readFile(missing).catch((error) => error)
  expect(notThere.code).toBe('ENOENT')
  expect(isOutage(notThere)).toBe(false)
  expect(translate(notThere)).toBe(notThere)

  const child = spawn('sh', ['-c', 'exec sleep 60 <&-'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const writing = setInterval(() => child.stdin.write('nobody reads this'), 10)
  const [broken] = await once(child.stdin, 'error').catch((error) => [error])
  clearInterval(writing)
  child.kill()
  expect(broken.code).toBe('EPIPE')
  expect(isOutage(broken)).toBe(false)

  const sql = connect({ socket: path.join(os.tmpdir(), 'no such folder', '.s.PGSQL.5432') }, { max: 2 })
  const asked = [
    () => sql`select 1`,
    () => sql.begin((tx) => tx`select 1`),
    () => sql.listen('any', () => {}),
  ]
  for (const ask of asked) expect(isOutage(await ask().catch((error) => error))).toBe(true)
  await sql.end()
})

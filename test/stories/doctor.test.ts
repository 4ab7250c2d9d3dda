import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../server/platform/postgres/client.ts'
import { byName, examined } from '../support/doctor.ts'
import { createDatabase } from '../support/postgres.ts'
import { discard, emptyDataDir, root, serviceForTest } from '../support/service.ts'
import { canBeWrong, wrongClock } from '../support/wrong-clock.ts'

/** At which nobody listens. */
async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as net.AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('of a service that runs, nothing is wrong; of a folder that others can read, it says what to type', async () => {
  const { dataDir } = await serviceForTest()
  const env = { MARQUEE_DATA_DIR: dataDir }
  const { code, by } = await examined(env)
  expect(code).toBe(0)
  for (const name of [
    'settings',
    'node',
    'ffmpeg',
    'ffprobe',
    'data folder',
    'postgres',
    'objects',
    'service',
  ])
    expect(by[name], name).toMatchObject({ state: 'ok' })
  // As the machine has them: few of those that run tests are short of either.
  for (const name of ['sandbox', 'disk']) expect(['ok', 'warn'], name).toContain(by[name]!.state)
  expect(by['events set aside']).toMatchObject({ state: 'ok' })
  mkdirSync(path.join(dataDir, 'events/rejected'), { recursive: true })
  writeFileSync(path.join(dataDir, 'events/rejected/one'), '')
  chmodSync(dataDir, 0o755)
  const opened = await examined(env)
  chmodSync(dataDir, 0o700)
  expect(opened.by['data folder']).toMatchObject({ state: 'warn', todo: `Close it: chmod 700 ${dataDir}` })
  expect(opened.by['events set aside']).toMatchObject({ state: 'warn', found: expect.stringMatching(/^1 /) })
})

test('of a database it says what is missing: tables, or the right to make them', async () => {
  const database = await createDatabase('template0')
  const sql = connect({ url: database.url }, { max: 1 })
  const role = `doctor_${Date.now()}`
  await sql.unsafe(`create role ${role} login`)
  onTestFinished(async () => {
    await sql.unsafe(`drop role ${role}`)
    await sql.end()
    await database.drop()
  })
  const dataDir = emptyDataDir()
  const look = async (url: string) =>
    (await examined({ MARQUEE_DATA_DIR: dataDir, MARQUEE_DATABASE_URL: url })).by.postgres
  expect(await look(database.url)).toMatchObject({
    state: 'warn',
    found: expect.stringContaining('its tables are of another version'),
  })
  const withoutRights = new URL(database.url)
  withoutRights.username = role
  expect(await look(withoutRights.href)).toMatchObject({
    state: 'fail',
    found: expect.stringContaining('may not create tables'),
    todo: expect.stringContaining('grant create'),
  })
  discard(dataDir)
})

/** Hides bubblewrap and puts a small disk under the data folder, for this one process, and begins. */
const ELSEWHERE = `
  mount --bind /bin/false "$(readlink -f "$(command -v bwrap)")"
  mount -t tmpfs -o size=16m small "$MARQUEE_DATA_DIR"
  exec "$@"`
const bwrap = spawnSync('sh', ['-c', 'command -v bwrap']).status === 0
const canHide = bwrap && spawnSync('unshare', ['-m', 'true']).status === 0

test.skipIf(!canBeWrong || !canHide)(
  'a wrong clock, a missing sandbox, a small disk, an ffmpeg without its encoder',
  async () => {
    const dataDir = emptyDataDir()
    const tools = emptyDataDir()
    for (const folder of [dataDir, tools]) mkdirSync(folder, { recursive: true })
    const ffmpeg = path.join(tools, 'ffmpeg')
    const says = 'case "$*" in -version) echo "ffmpeg version 9";; *) echo " A..... aac";; esac'
    writeFileSync(ffmpeg, `#!/bin/sh\n${says}\n`, { mode: 0o755 })
    const main = path.join(root, 'server/cli/main.ts')
    const { stdout, status } = spawnSync(
      'unshare',
      ['-m', 'sh', '-ec', ELSEWHERE, 'sh', process.execPath, main, 'doctor', '--json'],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          MARQUEE_DATA_DIR: dataDir,
          MARQUEE_DATABASE_URL: `${inject('databaseServer')}/postgres`,
          MARQUEE_FFMPEG: ffmpeg,
          ...wrongClock(600).env,
        },
      },
    )
    const by = byName(stdout)
    expect(status).toBe(1)
    expect(by.sandbox).toMatchObject({ state: 'warn', todo: expect.stringContaining('bubblewrap') })
    expect(by.disk).toMatchObject({ state: 'fail', found: '0.0 GiB free' })
    expect(by.ffmpeg).toMatchObject({ state: 'fail', found: expect.stringContaining('without libx264') })
    expect(by.postgres).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/clock .* differ by (59\d|60\d) s/),
      todo: expect.stringContaining('NTP'),
    })
    for (const folder of [dataDir, tools]) discard(folder)
  },
)

test('each engine that does not answer is named, with the setting to look at', async () => {
  const dataDir = emptyDataDir()
  const at = `127.0.0.1:${await closedPort()}`
  const { code, by } = await examined({
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_FFMPEG: '/nowhere/ffmpeg',
    MARQUEE_DATABASE_URL: `postgres://somebody:secret@${at}/marquee`,
    MARQUEE_REDIS_URL: `redis://:secret@${at}`,
    MARQUEE_S3_BUCKET: 'media',
    MARQUEE_S3_ENDPOINT: `http://${at}`,
    MARQUEE_S3_ACCESS_KEY: 'key',
    MARQUEE_S3_SECRET_KEY: 'secret',
    MARQUEE_CLICKHOUSE_URL: `http://${at}`,
    MARQUEE_SMTP_URL: `smtp://${at}`,
    MARQUEE_MAIL_FROM: 'media@example.com',
  })
  expect(code).toBe(1)
  const settings = {
    ffmpeg: 'MARQUEE_FFMPEG',
    postgres: 'MARQUEE_DATABASE_URL',
    objects: 'MARQUEE_S3_ENDPOINT',
    [`clickhouse ${at}`]: 'MARQUEE_CLICKHOUSE_URL',
    redis: 'MARQUEE_REDIS_URL',
    mail: 'MARQUEE_SMTP_URL',
  }
  for (const [name, setting] of Object.entries(settings)) {
    expect(by[name]).toMatchObject({ state: 'fail', todo: expect.stringContaining(setting) })
  }
  expect(by.postgres!.found).toContain(at)
  expect(JSON.stringify(by)).not.toContain('secret@')
  discard(dataDir)
  expect((await examined({ MARQUEE_PORT: 'eighty' })).by).toMatchObject({
    settings: { state: 'fail', found: expect.stringContaining('MARQUEE_PORT') },
  })
})

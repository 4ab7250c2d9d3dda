import { chmodSync } from 'node:fs'
import net from 'node:net'
import { expect, test } from 'vitest'
import { run } from '../../server/cli/run.ts'
import { discard, emptyDataDir, serviceForTest } from '../support/service.ts'

interface Found {
  name: string
  state: string
  found: string
  todo?: string
}

async function examined(env: Record<string, string>) {
  let out = ''
  const print = (text: string) => {
    out += text
  }
  const code = await run(['doctor', '--json'], {
    env: { PATH: process.env.PATH, ...env },
    print,
    complain: print,
  })
  return { code, by: Object.fromEntries((JSON.parse(out) as Found[]).map((one) => [one.name, one])) }
}

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
  chmodSync(dataDir, 0o755)
  const opened = await examined(env)
  chmodSync(dataDir, 0o700)
  expect(opened.by['data folder']).toMatchObject({ state: 'warn', todo: `Close it: chmod 700 ${dataDir}` })
})

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

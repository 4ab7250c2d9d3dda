import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  collect,
  discard,
  emptyDataDir,
  failingStart,
  freshDataDir,
  killAllIn,
  launch,
  processesIn,
  root,
  serviceForTest,
  startService,
} from '../support/service.ts'

const isRoot = os.userInfo().uid === 0

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(20)
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends everything, PostgreSQL included', async (signal) => {
  const dataDir = freshDataDir()
  const service = await startService({ dataDir })
  expect(processesIn(dataDir).length).toBeGreaterThan(0)
  expect(await service.stop(signal)).toBe(0)
  expect(processesIn(dataDir)).toEqual([])
  discard(dataDir)
})

test('a second start on the same data folder ends with one clear line', async () => {
  const service = await serviceForTest()
  const { code, lines } = await failingStart(service.dataDir)
  expect(code).toBe(1)
  expect(lines).toEqual([expect.stringContaining(`is in use by process ${service.pid}`)])
  expect((await service.api.get('/project')).status).toBe(200)
})

test('a taken port ends with one clear line', async () => {
  const other = net.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as net.AddressInfo
  const dataDir = emptyDataDir()
  const { code, lines } = await failingStart(dataDir, { MARQUEE_PORT: String(port) })
  other.close()
  expect(code).toBe(1)
  expect(lines).toEqual([`marquee: port ${port} on 127.0.0.1 is taken. Choose another with MARQUEE_PORT.`])
  discard(dataDir)
})

test('a data folder that cannot be one ends with one clear line', async () => {
  const scratch = emptyDataDir()
  const file = path.join(scratch, 'file')
  writeFileSync(file, '')
  for (const dataDir of [file, path.join(file, 'below'), '/proc/marquee']) {
    const { code, lines } = await failingStart(dataDir)
    expect(code).toBe(1)
    expect(lines).toEqual([expect.stringMatching(/cannot write to the data folder .+ Set MARQUEE_DATA_DIR/)])
  }
  discard(scratch)
})

test('an unknown setting is refused with the nearest known one', async () => {
  const dataDir = emptyDataDir()
  const { code, lines } = await failingStart(dataDir, { MARQUEE_PROT: '1', MARQUEE_DRAIN_TIMEOUT: 'soon' })
  expect(code).toBe(1)
  expect(lines).toEqual([
    'marquee: MARQUEE_PROT is not a setting. Did you mean MARQUEE_PORT?',
    'marquee: MARQUEE_DRAIN_TIMEOUT: "soon" is not a whole number from 0 to 600.',
  ])
  discard(dataDir)
})

test('Ctrl-C in the middle of a first start leaves nothing running', async () => {
  const dataDir = emptyDataDir()
  const child = launch(dataDir)
  await until(
    () => existsSync(path.join(dataDir, 'postgres.new')) || existsSync(path.join(dataDir, 'postgres')),
  )
  child.kill('SIGINT')
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  expect(processesIn(dataDir)).toEqual([])
  const service = await startService({ dataDir })
  expect((await service.api.get('/project')).status).toBe(200)
  await service.stop()
  discard(dataDir)
})

test('a process that happens to stand in PostgreSQL’s folder is left alone', async () => {
  const dataDir = freshDataDir()
  const bystander = spawn('sleep', ['600'], { cwd: path.join(dataDir, 'postgres') })
  const service = await startService({ dataDir })
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  bystander.kill()
  await service.stop()
  discard(dataDir)
})

test('a database that cannot be reached ends with one clear line', async () => {
  const dataDir = emptyDataDir()
  const { code, lines } = await failingStart(dataDir, { MARQUEE_DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
  expect(code).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(
      /^marquee: the database at 127\.0\.0\.1:1 cannot be reached: .+ Check MARQUEE_DATABASE_URL\.$/,
    ),
  ])
  discard(dataDir)
})

test.runIf(isRoot)('a second start in another container on the same folder is refused too', async () => {
  const service = await serviceForTest()
  const apart = [
    '--net',
    '--ipc',
    '--pid',
    '--fork',
    '--mount-proc',
    process.execPath,
    path.join(root, 'server/start/main.ts'),
  ]
  const env = { PATH: process.env.PATH, MARQUEE_DATA_DIR: service.dataDir, MARQUEE_PORT: '0' }
  const second = spawnSync('unshare', apart, { env, encoding: 'utf8' })
  expect(second.status).toBe(1)
  expect(second.stderr).toContain('is in use by a process elsewhere')
  expect((await service.api.get('/project')).status).toBe(200)
})

test('kill -9 of the service takes PostgreSQL down, and the next start recovers', async () => {
  const dataDir = freshDataDir()
  const first = await startService({ dataDir })
  await first.kill()
  await until(() => processesIn(dataDir).length === 0)
  const second = await startService({ dataDir })
  expect((await second.api.get('/project')).body.id).toBe(first.quickstart.project_id)
  await second.stop()
  discard(dataDir)
})

test('kill -9 of every process at once, and the next start recovers', async () => {
  const dataDir = freshDataDir()
  const first = await startService({ dataDir })
  killAllIn(dataDir)
  await first.kill()
  await until(() => processesIn(dataDir).length === 0)
  const second = await startService({ dataDir })
  expect((await second.api.get('/project')).status).toBe(200)
  await second.stop()
  discard(dataDir)
})

test('kill -9 of PostgreSQL alone: the service starts it again by itself', async () => {
  const service = await serviceForTest()
  killAllIn(service.dataDir)
  let answer = await service.api.get('/project')
  while (answer.status !== 200) {
    expect(answer).toMatchObject({ status: 503, body: { code: 503, error: 'Service Unavailable' } })
    await sleep(50)
    answer = await service.api.get('/project')
  }
})

test('stopped while PostgreSQL is being started again: nothing is left behind', async () => {
  const service = await serviceForTest()
  for (let round = 0; round < 3; round++) {
    killAllIn(service.dataDir)
    while ((await service.api.get('/project')).status !== 200) await sleep(20)
  }
  killAllIn(service.dataDir)
  await until(() => service.output().split('starting it again').length > 4)
  expect(await service.stop()).toBe(0)
  expect(processesIn(service.dataDir)).toEqual([])
})

test.runIf(isRoot)('root keeps its data in a folder that only root may enter', async () => {
  const locked = path.join('/root', `marquee-test-${process.pid}`)
  const dataDir = path.join(locked, 'a-rather-long-name-'.repeat(6), 'data')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const service = await startService({ dataDir })
  expect((await service.api.get('/project')).status).toBe(200)
  expect(await service.stop()).toBe(0)
  discard(locked)
})

// An account without rights has to be able to read the checkout, which below /root it cannot.
const nobody = { uid: 65534, gid: 65534 }
const canBeNobody = isRoot && spawnSync('cat', [path.join(root, 'package.json')], nobody).status === 0

test.runIf(canBeNobody)('an ordinary user runs it as themselves', async () => {
  const dataDir = emptyDataDir()
  chownSync(dataDir, nobody.uid, nobody.gid)
  const child = spawn(process.execPath, [path.join(root, 'server/start/main.ts')], {
    ...nobody,
    env: { PATH: process.env.PATH, MARQUEE_DATA_DIR: dataDir, MARQUEE_PORT: '0' },
  })
  const output = collect(child)
  await until(() => output().includes('Marquee is running') || child.exitCode !== null)
  expect(output()).toContain('Marquee is running')
  child.kill('SIGINT')
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  discard(dataDir)
})

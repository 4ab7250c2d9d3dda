import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Confinement, detectSandbox, type Sandbox, sandboxed } from '../../server/media/sandbox.ts'
import { scene } from '../fixtures/images.ts'
import { openWorkbench } from './workbench.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-'))
  writeFileSync(path.join(folder, 'secret'), 'secret')
  writeFileSync(path.join(folder, 'input'), 'input')
  mkdirSync(path.join(folder, 'out'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const isRoot = process.getuid!() === 0

function shell(script: string, confinement: Partial<Confinement> = {}, sandbox?: Sandbox) {
  const { file, args, options } = sandboxed(
    '/bin/sh',
    ['-c', script],
    { readOnly: [], ...confinement },
    sandbox,
  )
  return spawnSync(file, args, { ...options, encoding: 'utf8' })
}

function node(script: string) {
  const { file, args, options } = sandboxed(process.execPath, ['-e', script], {
    readOnly: [process.execPath],
  })
  return spawnSync(file, args, { ...options, encoding: 'utf8' })
}

describe.skipIf(detectSandbox().kind !== 'bubblewrap')('with bubblewrap', () => {
  test('there is no warning', () => {
    expect(detectSandbox().warning).toBeUndefined()
  })

  test('only the input is there to read, and nobody can change it', () => {
    const script = `cat '${at('input')}'; cat '${at('secret')}'; cat /etc/passwd; echo x > '${at('input')}'`
    const { stdout } = shell(script, { input: at('input') })
    expect(stdout).toBe('input')
  })

  test('the output folder is the only place to leave something in', () => {
    const { status } = shell(`echo made > '${at('out')}/made'`, { outputDir: at('out') })
    expect(status).toBe(0)
    expect(readdirSync(at('out'))).toContain('made')
    for (const place of ['/x', '/usr/x', '/dev/shm/x', '/etc/x'])
      expect(shell(`echo x > '${place}'`, { outputDir: at('out') }).status).not.toBe(0)
    // Its /tmp is its own, and gone with it.
    expect(shell(`echo x > '${at('x')}'; cat '${at('x')}'`, { outputDir: at('out') }).stdout).toBe('x\n')
    expect(readdirSync(folder)).not.toContain('x')
  })

  test('no address answers, not even of this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const connect = `require('net').connect(${port}, '127.0.0.1')
      .on('connect', () => console.log('connected')).on('error', (e) => console.log(e.code))`
    expect(node(connect).stdout).toMatch(/ECONNREFUSED|ENETUNREACH|EADDRNOTAVAIL/)
    server.close()
  })

  test('it sees no process and no setting of ours', () => {
    process.env.SECRET_OF_THE_SERVICE = 'x'
    const { stdout } = node(`console.log(JSON.stringify({ env: Object.keys(process.env),
      pids: require('fs').readdirSync('/proc').filter((n) => +n).length }))`)
    delete process.env.SECRET_OF_THE_SERVICE
    const { env, pids } = JSON.parse(stdout)
    expect(env.sort()).toEqual(['LC_ALL', 'PATH', 'PWD'])
    expect(pids).toBeLessThanOrEqual(2)
  })

  test('it holds no privilege, whoever started it', () => {
    expect(shell('grep CapEff /proc/self/status').stdout).toMatch(/CapEff:\s+0+\n/)
  })
})

describe.skipIf(detectSandbox().kind === 'none')('limits', () => {
  test('are those that were asked for', () => {
    const { stdout } = shell('ulimit -n; ulimit -t; ulimit -c; ulimit -v', {
      limits: { openFiles: 33, cpuSeconds: 7, addressSpaceBytes: 2 ** 30 },
    })
    expect(stdout).toBe('33\n7\n0\n1048576\n')
  })

  test('stop a file that grows too large', () => {
    const { status } = shell(`head -c 5000 /dev/zero > '${at('out')}/large'`, {
      outputDir: at('out'),
      limits: { fileSizeBytes: 1000 },
    })
    expect(status).not.toBe(0)
  })

  test('give way to others when they are nice', () => {
    expect(Number(shell('nice', { nice: 10 }).stdout)).toBe(Math.min(19, os.getPriority() + 10))
  })
})

describe('without bubblewrap', () => {
  const limits: Sandbox = { kind: 'limits', boundedTmp: false }
  const nothing: Sandbox = { kind: 'none', boundedTmp: false }

  test.skipIf(!isRoot)('root hands the program to an account that owns nothing', () => {
    expect(shell('id -u; id -g; id -G', {}, limits).stdout).toBe('65530\n65530\n65530\n')
    expect(shell('id -u', {}, nothing).stdout).toBe('65530\n')
  })

  test.skipIf(!isRoot)('unless that account cannot get at the files it is to work on', () => {
    chmodSync(folder, 0o700)
    expect(shell('id -u', { input: at('input') }, limits).stdout).toBe('0\n')
    chmodSync(folder, 0o755)
    expect(shell('id -u', { input: at('input') }, limits).stdout).toBe('65530\n')
    expect(shell('id -u', { outputDir: at('out') }, limits).stdout).toBe('0\n')
    chmodSync(at('out'), 0o777)
    expect(shell('id -u', { outputDir: at('out') }, limits).stdout).toBe('65530\n')
  })

  test.each([limits, nothing])('images are converted all the same ($kind)', async (sandbox) => {
    const bench = await openWorkbench({ sandbox, size: 1 })
    expect((await bench.convert(await scene().png().toBuffer())).width).toBe(320)
    await bench.close()
  })
})

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../base/errors.ts'
import type { ServerAccount } from './account.ts'

const MAJOR = '18'

/**
 * PostgreSQL is started inside its data folder and told that the folder is "/proc/self/cwd". The
 * link leads there without passing through the folders above, so it works for an account that may
 * not enter them (a checkout below /root, say).
 */
const HERE = '/proc/self/cwd'

export interface Cluster {
  /** PostgreSQL's own data folder. */
  folder: string
  binaries: string
  account: ServerAccount | undefined
  logFile: string
}

export function initializeCluster(cluster: Cluster): void {
  const { folder } = cluster
  if (existsSync(path.join(folder, 'PG_VERSION'))) {
    refuseOtherMajor(folder)
    return
  }
  // Made beside and renamed: a first start cut off in the middle leaves nothing that looks whole.
  const half = `${folder}.new`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { mode: 0o700 })
  if (cluster.account) chownSync(half, cluster.account.uid, cluster.account.gid)
  const args = [
    '-D',
    HERE,
    '-U',
    'marquee',
    '-A',
    'peer',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  const result = spawnSync(path.join(cluster.binaries, 'bin/initdb'), args, {
    ...childOptions(cluster, half),
    encoding: 'utf8',
  })
  if (result.status !== 0)
    throw new StartupError(
      `PostgreSQL could not be set up: ${lastLine(result.stderr) || result.error?.message}`,
    )
  renameSync(half, folder)
}

function refuseOtherMajor(folder: string): void {
  const found = readFileSync(path.join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== MAJOR)
    throw new StartupError(
      `the data folder holds a PostgreSQL ${found}, this version runs ${MAJOR}. Move the data over with pg_dump and pg_restore.`,
    )
}

/** Only the account that runs the service gets in: the kernel tells PostgreSQL who connects. */
export function writeAccessRules({ folder, account }: Cluster): void {
  const rules = {
    'pg_hba.conf': 'local all all peer map=marquee\n',
    'pg_ident.conf': `marquee "${os.userInfo().username}" marquee\n`,
  }
  for (const [name, content] of Object.entries(rules)) {
    const file = path.join(folder, name)
    writeFileSync(file, content, { mode: 0o600 })
    chmodSync(file, 0o600)
    if (account) chownSync(file, account.uid, account.gid)
  }
}

const SETTINGS = {
  listen_addresses: '',
  unix_socket_directories: '.',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  // The service's own pool is small; room is left for the command line and a second process.
  max_connections: '100',
  max_wal_size: '1GB',
  io_method: 'sync',
}

/** Starts the server and resolves once it takes connections. */
export async function startServer(
  cluster: Cluster,
  onSpawned: (server: ChildProcess) => void,
): Promise<ChildProcess> {
  const args = [
    '-D',
    HERE,
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const log = openLog(cluster.logFile)
  // A group of its own: Ctrl-C in the terminal is for the service, which drains before it stops this.
  const server = spawn(path.join(cluster.binaries, 'bin/postgres'), args, {
    ...childOptions(cluster, cluster.folder),
    stdio: ['ignore', log, log],
    detached: true,
  })
  onSpawned(server)
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new StartupError(
        `PostgreSQL did not start: ${lastLine(readFileSync(cluster.logFile, 'utf8'))} (see ${cluster.logFile})`,
      )
    if (recordedState(cluster.folder)?.ready && recordedState(cluster.folder)?.pid === server.pid)
      return server
    await sleep(5)
  }
}

/**
 * Ends what a killed process left behind on this folder: a server whose service is gone, backends
 * whose server is gone. Each works in the folder, which tells them from a process that happens to
 * have the recorded id by now.
 */
export async function stopLeftover(folder: string): Promise<void> {
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    for (const pid of processesIn(folder)) send(pid, signal)
    for (let waited = 0; waited < seconds * 1000 && processesIn(folder).length > 0; waited += 20)
      await sleep(20)
  }
  const left = processesIn(folder)
  if (left.length > 0)
    throw new StartupError(
      `an earlier PostgreSQL (process ${left[0]}) on ${folder} does not stop. End it, then start again.`,
    )
  // Nobody works here: a record of somebody is stale, whatever its id means today.
  rmSync(path.join(folder, 'postmaster.pid'), { force: true })
}

function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, folder))
}

function worksIn(pid: number, folder: string): boolean {
  try {
    // Not everything that is there is PostgreSQL: somebody's shell may be looking around.
    return (
      readlinkSync(`/proc/${pid}/cwd`) === folder &&
      /\/postgres( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`))
    )
  } catch {
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}

/** What the server wrote down about itself: process id on the first line, state on the eighth. */
function recordedState(folder: string): { pid: number; ready: boolean } | undefined {
  try {
    const lines = readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' }
  } catch {
    return undefined
  }
}

function childOptions({ account }: Cluster, cwd: string) {
  return { cwd, uid: account?.uid, gid: account?.gid, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } }
}

function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > 10 * 2 ** 20) truncateSync(file)
  return openSync(file, 'a', 0o600)
}

function lastLine(output: string | null): string {
  return output?.trim().split('\n').at(-1) ?? ''
}

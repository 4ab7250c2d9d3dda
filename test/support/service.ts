import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, inject, onTestFinished } from 'vitest'
import { type Quickstart, readQuickstart } from '../../server/start/quickstart.ts'
import { type Api, apiOf } from './api.ts'
import { skipHere } from './scale/skip-here.ts'

export const root = path.resolve(import.meta.dirname, '../..')

/** Of all processes of a run; see vitest.config.ts. */
export const COMPILE_CACHE = process.env.NODE_COMPILE_CACHE!

export interface TestService {
  url: string
  dataDir: string
  /** Empty where another process made the first start. */
  quickstart: Quickstart
  api: Api
  /** Everything it printed so far. */
  output(): string
  pid: number
  /** Ends it as Ctrl-C does and answers its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** kill -9 of the service's own process; PostgreSQL is left to its fate. */
  kill(): Promise<void>
}

export interface StartOptions {
  dataDir?: string
  env?: Record<string, string>
  /** Of which version; the one under test unless told otherwise. */
  checkout?: string
  /** What the command is begun with; see `machinesForTest`. */
  within?: string[]
}

/** The whole service in a process of its own, on a fresh data folder and a free port. */
export async function startService({
  dataDir = freshDataDir(),
  env = {},
  ...how
}: StartOptions = {}): Promise<TestService> {
  const child = launch(dataDir, env, how)
  const output = collect(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await untilRunning(child, output)
  const quickstart = readQuickstart(dataDir) ?? ({} as Quickstart)
  const url = /(?:API|Health) +(http:\/\/[^/\s]+)/.exec(output())![1]!.replace('localhost', '127.0.0.1')

  const service: TestService = {
    url,
    dataDir,
    quickstart,
    api: apiOf(url, { 'x-api-key': quickstart.api_key }),
    output,
    pid: child.pid!,
    async stop(signal = 'SIGINT') {
      child.kill(signal)
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
  return service
}

/** As `startService`, stopped and cleaned up when the test that asked for it ends. */
export async function serviceForTest(options: StartOptions = {}): Promise<TestService> {
  const service = await startService(options)
  onTestFinished(async () => {
    await service.stop()
    if (!options.dataDir) discard(service.dataDir)
  })
  return service
}

/** What is deleted goes at once: most tests look at what is left of it. The trash has tests of its own. */
export const NO_TRASH = { MARQUEE_TRASH_LIFETIME: '0' }

/** A test that failed has not stopped what it started. */
const launched = new Set<ChildProcess>()
const endLaunched = () => {
  for (const child of launched) child.kill('SIGKILL')
}
// What is launched before all tests of a run is stopped after them.
if (process.env.VITEST_POOL_ID) afterAll(endLaunched)

export function launch(
  dataDir: string,
  env: Record<string, string> = {},
  { checkout = root, within = [] }: Pick<StartOptions, 'checkout' | 'within'> = {},
): ChildProcess {
  const [program, ...args] = [...within, process.execPath, path.join(checkout, 'server/start/main.ts')]
  const child = spawn(program!, args, {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      MARQUEE_DATA_DIR: dataDir,
      MARQUEE_PORT: '0',
      MARQUEE_LOG_LEVEL: 'info',
      ...NO_TRASH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  launched.add(child)
  child.once('exit', () => launched.delete(child))
  return child
}

export function collect(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      text += chunk
    })
  return () => text
}

async function untilRunning(child: ChildProcess, output: () => string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', () => /(Docs|Health) +\S+\n/.test(output()) && resolve())
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}:\n${output()}`)))
  })
}

/** Starts a service that is expected to give up, and answers what it said. */
export async function failingStart(dataDir: string, env: Record<string, string> = {}) {
  const child = launch(dataDir, env)
  const output = collect(child)
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, lines: output().trim().split('\n') }
}

/** An empty data folder, but for a PostgreSQL that is set up and holds nothing. */
export function freshDataDir(): string {
  const template = inject('clusterTemplate') ?? skipHere('it is about one process with a database of its own')
  const dataDir = emptyDataDir()
  execFileSync('cp', ['-a', template, path.join(dataDir, 'postgres')])
  return dataDir
}

export function emptyDataDir(): string {
  return mkdtempSync(path.join(os.tmpdir(), 'marquee-test-'))
}

export function discard(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}

/** Process ids of everything that works in the data folder: PostgreSQL and its backends. */
export function processesIn(dataDir: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => cwdOf(pid).startsWith(dataDir))
}

/** `kill -9` of all of them; some end by themselves as soon as the first is gone. */
export function killAllIn(dataDir: string): void {
  for (const pid of processesIn(dataDir))
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

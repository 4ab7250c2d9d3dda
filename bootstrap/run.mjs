// The first thing every command runs. Plain JavaScript without dependencies, so that it works on a
// bare clone with whatever Node the machine has (20 or newer); everything after it runs on the Node
// that package.json pins.
import { spawn } from 'node:child_process'
import module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installDependencies } from './dependencies.mjs'
import { installPrograms } from './programs.mjs'
import { fail, root } from './say.mjs'

const PROGRAMS = {
  start: { script: 'server/main.ts', needsPrograms: true },
  marquee: { script: 'server/cli/main.ts', needsPrograms: false },
  bench: { script: 'bench/run.ts', needsPrograms: true },
  generate: { script: 'scripts/generate.ts', needsPrograms: false },
  test: { script: 'node_modules/vitest/vitest.mjs', needsPrograms: true, args: ['run'] },
}

const [command = '', ...rest] = process.argv.slice(2)
const program = PROGRAMS[command]
if (!program) fail(`unknown command "${command}". Known: ${Object.keys(PROGRAMS).join(', ')}.`)
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(`Node ${process.versions.node} is too old. Install Node 20 or newer, then run this again.`)

await installDependencies()
if (program.needsPrograms) await installPrograms()

const script = path.join(root, program.script)
const args = [...(program.args ?? []), ...rest]
const pinnedNode = path.join(root, 'node_modules/.bin/node')

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // Already on the pinned Node (npm puts node_modules/.bin first on PATH): one process fewer to keep.
  module.enableCompileCache?.()
  process.argv = [process.argv[0], script, ...args]
  await import(pathToFileURL(script).href)
} else {
  // The channel closes with this process, however that ends; the service then stops too.
  const channel = command === 'start' ? ['ipc'] : []
  const child = spawn(pinnedNode, [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', ...channel] })
  // The child decides when it is done. A terminal sends Ctrl-C to both; hearing of it twice is no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`cannot run the pinned Node: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

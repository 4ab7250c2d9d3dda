import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** Everything that CI checks, the quick ones first. With `--quick`, all but the tests. */
const STEPS = [
  { name: 'types', args: ['types'] },
  { name: 'lint', args: ['lint'] },
  { name: 'import rules', args: ['imports'] },
  { name: 'dead code', args: ['dead-code'] },
  { name: 'generated files', args: ['generate', '--check'] },
  { name: 'description', args: ['openapi'] },
  { name: 'tests', args: ['test:all'] },
]

const root = path.dirname(import.meta.dirname)
const isQuick = process.argv.includes('--quick')
for (const { name, args } of STEPS) {
  if (isQuick && name === 'tests') continue
  process.stdout.write(`\n=== ${name}\n`)
  const start = performance.now()
  const { status } = spawnSync(process.execPath, ['bootstrap/run.mjs', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  const seconds = Math.round((performance.now() - start) / 1000)
  if (status !== 0) {
    process.stdout.write(`\n=== ${name} failed after ${seconds} s\n`)
    process.exit(1)
  }
  process.stdout.write(`=== ${name} passed in ${seconds} s\n`)
}
process.stdout.write('\n=== all passed\n')

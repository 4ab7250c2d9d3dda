import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { root } from './service.ts'

const FOLDER = path.join(root, 'node_modules/.cache/runtimes')
const PACKAGES = ['deno@2.9.6', 'bun@1.4.4']

/** How a script of a project is run by each. Others than Node are 200 MB: the long run installs them for itself. */
export function runtimes(): Record<string, string[]> {
  // The machine's own, which is older than the one that runs the service.
  const node = ['node']
  if (!process.env.MARQUEE_TEST_LONG) return { node }
  if (!find('@deno/linux-*/deno') || !find('@oven/bun-linux-*/bin/bun')) install()
  const deno = [find('@deno/linux-*/deno')!, 'run', '--allow-all', '--node-modules-dir=manual']
  return { node, deno, bun: [find('@oven/bun-linux-*/bin/bun')!, 'run'] }
}

function find(pattern: string): string | undefined {
  const [found] = globSync(path.join('node_modules', pattern), { cwd: FOLDER })
  return found && path.join(FOLDER, found)
}

function install(): void {
  mkdirSync(FOLDER, { recursive: true })
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  execFileSync('npm', ['install', '--prefix', FOLDER, ...quietly, ...PACKAGES], { stdio: 'inherit' })
}

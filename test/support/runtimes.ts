import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { notThere } from './needs.ts'
import { root } from './service.ts'

const FOLDER = path.join(root, 'node_modules/.cache/runtimes')
const PACKAGES = ['deno@2.9.6', 'bun@1.4.4']

/** How a script of a project is run by each. Others than Node are 200 MB: the long run installs them for itself. */
export function runtimes(): Record<string, string[]> {
  const node = olderNode()
  if (!process.env.MARQUEE_TEST_LONG) return node
  if (!find('@deno/linux-*/deno') || !find('@oven/bun-linux-*/bin/bun')) install()
  const deno = [find('@deno/linux-*/deno')!, 'run', '--allow-all', '--node-modules-dir=manual']
  return { ...node, deno, bun: [find('@oven/bun-linux-*/bin/bun')!, 'run'] }
}

/** The machine's own, where that is older than the one that runs the service: what the client says it works with. */
function olderNode(): Record<string, string[]> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    // Of npm, which puts the pinned one before all others.
    if (folder.includes('node_modules')) continue
    const program = path.join(folder, 'node')
    if (!existsSync(program)) continue
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
    if (/^v2[0-2]\./.test(version)) return { [`Node ${version}`]: [program] }
  }
  notThere('Node 20 to 22, of the machine itself')
  return {}
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

import { globSync } from 'node:fs'
import path from 'node:path'
import { needs } from './needs.ts'
import { root } from './service.ts'

/** Where CI puts programs that no package manager of the system has. */
const FOLDER = path.join(root, 'node_modules/.cache/runtimes/node_modules')

const find = (pattern: string) => globSync(pattern, { cwd: FOLDER }).map((file) => path.join(FOLDER, file))[0]

const bun = find('@oven/bun-linux-*/bin/bun')
const deno = find('@deno/linux-*/deno')

export const hasRuntimes = needs('Deno and Bun', bun !== undefined && deno !== undefined)

/** How a script of a project is run by each. */
export const RUNTIMES: Record<string, string[]> = {
  // The machine's own, which is older than the one that runs the service.
  node: ['node'],
  deno: [deno!, 'run', '--allow-all', '--node-modules-dir=manual'],
  bun: [bun!, 'run'],
}

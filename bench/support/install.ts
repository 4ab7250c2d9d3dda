import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** A folder with packages that nothing but a bench needs, each by its exact version. */
export function installFor(wanted: string[]): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true, "type": "module"}')
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (error) {
    remove()
    throw error
  }
  return { folder, remove }
}

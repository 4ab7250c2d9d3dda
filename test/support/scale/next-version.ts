import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../service.ts'

/** The next version, as a checkout: today's with one more migration, as a later one would add. */
export function nextVersion(): string {
  const checkout = mkdtempSync(path.join(os.tmpdir(), 'marquee-next-'))
  onTestFinished(() => rmSync(checkout, { recursive: true }))
  for (const name of ['server', 'migrations', 'package.json'])
    cpSync(path.join(root, name), path.join(checkout, name), { recursive: true })
  mkdirSync(path.join(checkout, 'console'))
  for (const name of ['node_modules', 'packages', 'console/dist'])
    symlinkSync(path.join(root, name), path.join(checkout, name))
  writeFileSync(
    path.join(checkout, 'migrations/9999_next.sql'),
    ['images', 'videos', 'files', 'posts', 'jobs', 'segments', 'segment_claims', 'projects', 'api_keys']
      .map((table) => `alter table ${table} add column next_version jsonb not null default '{}';`)
      .join('\n'),
  )
  return checkout
}

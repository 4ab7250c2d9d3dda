import { mkdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { newIdSuffix } from '../base/ids.ts'
import type { ObjectStore } from '../platform/objects/port.ts'

/** Originals as local files: programs without a network read nothing else. */
export interface SourceFiles {
  /** Undefined where the object is gone. The file stays at least until `use` has ended. */
  use<T>(key: string, use: (path: string) => Promise<T>): Promise<T | undefined>
  /** The object is about to be removed. */
  forget(key: string): void
  close(): void
}

interface Copy {
  path: string
  arrived: Promise<boolean>
  users: number
  usedAt: number
}

const KEEP_MS = 5 * 60_000
const TIDY_MS = 60_000

/** Copies of remote objects are kept for a while: one segment is seldom the last that is asked for. */
export function sourceFiles(objects: ObjectStore, folder: string): SourceFiles {
  const copies = new Map<string, Copy>()

  function drop(key: string, copy: Copy): void {
    if (copies.get(key) === copy) copies.delete(key)
    if (copy.users === 0) rm(copy.path, { force: true }).catch(() => {})
  }

  const tidying = setInterval(() => {
    for (const [key, copy] of copies)
      if (copy.users === 0 && Date.now() - copy.usedAt > KEEP_MS) drop(key, copy)
  }, TIDY_MS).unref()

  function copyOf(key: string): Copy {
    const known = copies.get(key)
    if (known) return known
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, newIdSuffix())
    const arrived = objects.download(key, file).then((info) => info !== undefined)
    const copy: Copy = { path: file, arrived, users: 0, usedAt: Date.now() }
    copies.set(key, copy)
    arrived.catch(() => drop(key, copy))
    return copy
  }

  return {
    async use(key, use) {
      const local = objects.localPath(key)
      if (local) return use(local)
      const copy = copyOf(key)
      copy.users++
      try {
        if (!(await copy.arrived)) {
          copies.delete(key)
          return undefined
        }
        return await use(copy.path)
      } finally {
        copy.users--
        copy.usedAt = Date.now()
        if (copies.get(key) !== copy) drop(key, copy)
      }
    },
    forget(key) {
      const copy = copies.get(key)
      if (copy) drop(key, copy)
    },
    close() {
      clearInterval(tidying)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

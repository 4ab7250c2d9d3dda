import { access, link, mkdir, rename, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { flushFolder } from '../flush-folder.ts'

/**
 * The folders below one root, made when an object needs them and removed with their last object. All
 * of it is safe beside others doing the same: whoever finds a folder gone makes it again.
 */
export function foldersUnder(root: string) {
  const making = new Map<string, Promise<void>>()

  /** Resolves when the folder is there and would be there after a power failure. */
  function make(folder: string): Promise<void> {
    if (folder === root) return Promise.resolve()
    // Somebody else's folder may exist and not be on the disk yet: share their wait.
    const known = making.get(folder)
    if (known) return known
    const made = makeDurably(folder).finally(() => making.delete(folder))
    making.set(folder, made)
    return made
  }

  async function makeDurably(folder: string): Promise<void> {
    const parent = path.dirname(folder)
    for (;;) {
      await make(parent)
      try {
        await mkdir(folder, { mode: 0o700 })
        return await flush(parent)
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return
        if (!hasCode(error, 'ENOENT') || parent === root) throw error
      }
    }
  }

  /** Gives a file its name, durably, in a folder that may be missing or just now be removed. */
  function renameInto(file: string, target: string): Promise<void> {
    return moveInto(file, target, rename)
  }

  /** The same, but where the target is taken, which is EEXIST. */
  function linkInto(file: string, target: string): Promise<void> {
    return moveInto(file, target, async () => {
      try {
        await link(file, target)
      } catch (error) {
        // Some file systems know no second names; whoever comes in between there is replaced.
        if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error
        if (await ifThere(access(target).then(() => true)))
          throw Object.assign(new Error(`${target} is taken`), { code: 'EEXIST' })
        return rename(file, target)
      }
      await unlink(file)
    })
  }

  async function moveInto(file: string, target: string, move: typeof rename): Promise<void> {
    const folder = path.dirname(target)
    for (;;) {
      await make(folder)
      try {
        await move(file, target)
        return await flush(folder)
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
        await access(file)
      }
    }
  }

  /** Removes the folder and those above it, up to the first that holds something. */
  async function prune(folder: string): Promise<void> {
    for (let current = folder; current !== root; current = path.dirname(current)) {
      try {
        await rmdir(current)
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) return
      }
    }
  }

  return { renameInto, linkInto, prune }
}

/** Makes the names in a folder survive a power failure. A folder that is gone has none to lose. */
export async function flush(folder: string): Promise<void> {
  await flushFolder(folder).catch((error) => {
    if (!isMissing(error)) throw error
  })
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

/** Nothing has this name, or a file stands where its folder would be. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR')
}

/** What is found, or undefined where nothing has the name. */
export async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

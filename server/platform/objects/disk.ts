import { lstat, mkdir, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { flush, foldersUnder, hasCode, isMissing } from './disk-folders.ts'
import { listFolder } from './disk-list.ts'
import { adopt, describe, openObject, temporaryIn, writeWhole } from './disk-write.ts'
import { asStorageFull, writeToFile } from './download.ts'
import { ObjectNotFound, RangeNotSatisfiable, StorageUnavailable } from './errors.ts'
import { checkKey, checkPrefix } from './keys.ts'
import { openRegularFile, readWhole } from './local-file.ts'
import { measure } from './measure.ts'
import type { ObjectStore } from './port.ts'
import { checkRange } from './ranges.ts'

/**
 * Objects as plain files: `objects/` holds them under their keys, `temporary/` what is being written
 * or removed, on the same file system, so that a rename is all that separates the two.
 */
export async function openDiskStore(folder: string): Promise<ObjectStore> {
  const root = path.join(folder, 'objects')
  const temporaries = path.join(folder, 'temporary')
  for (const needed of [folder, root, temporaries]) await mkdir(needed, { recursive: true, mode: 0o700 })
  await flush(folder)
  const folders = foldersUnder(root)

  function fileOf(key: string): string {
    checkKey(key)
    return path.join(root, key)
  }

  /** Runs something on an object's file; undefined where there is no such object. */
  async function ifThere<T>(action: Promise<T>): Promise<T | undefined> {
    try {
      return await action
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  const store: ObjectStore = {
    async put(key, source, options = {}) {
      const file = fileOf(key)
      const temporary = temporaryIn(temporaries)
      return writeWhole(measure(source, options), temporary, () => folders.renameInto(temporary, file))
    },

    async putFile(key, source, options = {}) {
      const file = fileOf(key)
      const handle = await openRegularFile(source)
      try {
        const { size, nlink } = await handle.stat()
        const announced = { size, ...options }
        try {
          // Under a second name the object could be changed from outside.
          if (nlink > 1) throw Object.assign(new Error('the file has two names'), { code: 'EXDEV' })
          const stored = await adopt(handle, measure(readWhole(handle), announced))
          await folders.renameInto(source, file)
          return stored
        } catch (error) {
          if (!hasCode(error, 'EXDEV', 'EPERM')) throw asStorageFull(error)
          const stored = await store.put(key, readWhole(handle), announced)
          await rm(source)
          return stored
        }
      } finally {
        await handle.close()
      }
    },

    async get(key, range = { start: 0 }) {
      const file = fileOf(key)
      checkRange(range)
      const opened = await ifThere(openObject(file))
      if (!opened) return undefined
      const { handle, info } = opened
      if (range.start > 0 || range.end !== undefined) {
      }
      return { ...info, stream: handle.createReadStream(range) }
    },

    async head(key) {
      const stat = await ifThere(lstat(fileOf(key), { bigint: true }))
      return stat?.isFile() ? describe(stat) : undefined
    },

    localPath: fileOf,

    async download(key, target) {
      const object = await store.get(key)
      return object && writeToFile(object, target)
    },
  }
  return store
}

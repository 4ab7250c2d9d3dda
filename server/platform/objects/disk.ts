import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { partialFiles } from './disk-append.ts'
import { flush, foldersUnder, hasCode, ifThere, isMissing } from './disk-folders.ts'
import { listFolder } from './disk-list.ts'
import { adopt, describe, temporaryIn, writeWhole } from './disk-write.ts'
import { asStorageFull, writeToFile } from './download.ts'
import {
  ObjectExists,
  ObjectNotFound,
  RangeNotSatisfiable,
  StorageFull,
  StorageUnavailable,
} from './errors.ts'
import { openRegularFile, readWhole } from './local-file.ts'
import { measure } from './measure.ts'
import {
  type ByteRange,
  checkKey,
  checkPrefix,
  type ObjectInfo,
  type ObjectStore,
  type OpenObject,
} from './port.ts'
import { checkRange } from './ranges.ts'

/**
 * Objects as plain files of one process: `objects/` holds them under their keys, `temporary/` what is
 * being written or removed. Both are on one file system, so a rename is all that lies between.
 */
export async function openDiskStore(folder: string): Promise<ObjectStore> {
  const root = path.join(folder, 'objects')
  const temporaries = path.join(folder, 'temporary')
  for (const needed of [root, temporaries]) await mkdir(needed, { recursive: true, mode: 0o700 })
  await flush(folder)
  const folders = foldersUnder(root)

  function fileOf(key: string): string {
    checkKey(key)
    return path.join(root, key)
  }

  function folderOf(prefix: string): string {
    checkPrefix(prefix)
    return path.join(root, prefix)
  }

  const partials = partialFiles({ fileOf, temporaries, folders })

  const store: ObjectStore = {
    async put(key, source, options = {}) {
      const file = fileOf(key)
      const temporary = temporaryIn(temporaries)
      const reveal = options.ifAbsent ? folders.linkInto : folders.renameInto
      try {
        return await writeWhole(measure(source, options), temporary, () => reveal(temporary, file))
      } catch (error) {
        throw hasCode(error, 'EEXIST') ? new ObjectExists(key) : error
      }
    },

    async putFile(key, source, options = {}) {
      const file = fileOf(key)
      const handle = await openRegularFile(source)
      try {
        const announced = { ...options, size: options.size ?? (await handle.stat()).size }
        const adopted = await adopt(handle, announced, () => folders.renameInto(source, file))
        if (adopted) return adopted
        const stored = await store.put(key, readWhole(handle), announced)
        await rm(source)
        return stored
      } finally {
        await handle.close()
      }
    },

    async get(key, range) {
      return openObject(fileOf(key), range)
    },

    async head(key) {
      return inspect(fileOf(key))
    },

    localPath: fileOf,

    async download(key, target) {
      const object = await openObject(fileOf(key))
      return object && writeToFile(object, target)
    },

    async move(from, to) {
      const [source, target] = [fileOf(from), fileOf(to)]
      // A folder could be renamed just as well.
      if (!(await inspect(source))) throw new ObjectNotFound(from)
      if (source === target) return
      try {
        await folders.renameInto(source, target)
      } catch (error) {
        throw hasCode(error, 'ENOENT') ? new ObjectNotFound(from) : asStorageFull(error)
      }
      await flush(path.dirname(source))
      await folders.prune(path.dirname(source))
    },

    async append(prefix, source, options) {
      checkPrefix(prefix)
      return partials.append(prefix, source, options)
    },

    async compose(body, key) {
      const piece = await partials.trim(body)
      if (piece) await store.move(piece, key)
      else await store.put(key, Buffer.alloc(0))
    },

    async delete(key) {
      const file = fileOf(key)
      try {
        await unlink(file)
      } catch (error) {
        if (isMissing(error) || hasCode(error, 'EISDIR')) return
        throw error
      }
      await flush(path.dirname(file))
      await folders.prune(path.dirname(file))
    },

    async deletePrefix(prefix) {
      const doomed = folderOf(prefix)
      const parent = path.dirname(doomed)
      // Taken away whole, so that nothing is half deleted, and a crash leaves the rest to the sweep. The
      // closing slash keeps the rename from taking an object of that name.
      const temporary = temporaryIn(temporaries)
      const moved = await ifThere(rename(doomed, temporary).then(() => true))
      if (!moved) return
      await flush(parent)
      await folders.prune(parent)
      await rm(temporary, { recursive: true, force: true })
    },

    list(prefix = '') {
      return listFolder(prefix ? folderOf(prefix) : root, prefix)
    },

    async presignPut(key) {
      checkKey(key)
      return undefined
    },

    async presignGet(key) {
      checkKey(key)
      return undefined
    },

    async sweepTemporary(olderThanMs) {
      const latest = Date.now() - olderThanMs
      let swept = 0
      for (const name of await readdir(temporaries)) {
        const file = path.join(temporaries, name)
        const found = await ifThere(stat(file))
        // Whole milliseconds: a file may be newer than the clock by a fraction.
        if (!found || Math.floor(found.mtimeMs) > latest) continue
        await rm(file, { recursive: true, force: true })
        swept++
      }
      return swept
    },

    async check() {
      const probe = temporaryIn(temporaries)
      try {
        await writeFile(probe, 'x', { mode: 0o600 })
        await rm(probe)
      } catch (error) {
        const full = asStorageFull(error)
        throw full instanceof StorageFull ? full : new StorageUnavailable(error)
      }
    },

    async close() {},
  }
  return store
}

/** Opens an object's file; undefined where there is none (a folder is none). */
async function openObject(file: string, range?: ByteRange): Promise<OpenObject | undefined> {
  if (range) checkRange(range)
  const handle = await ifThere(open(file, constants.O_RDONLY | constants.O_NOFOLLOW))
  if (!handle) return undefined
  const stat = await handle.stat({ bigint: true })
  const info = describe(stat)
  const outside = range && range.start >= info.size
  if (stat.isFile() && !outside) return { ...info, stream: handle.createReadStream({ start: 0, ...range }) }
  await handle.close()
  if (stat.isFile()) throw new RangeNotSatisfiable(info.size)
}

async function inspect(file: string): Promise<ObjectInfo | undefined> {
  const stat = await ifThere(lstat(file, { bigint: true }))
  return stat?.isFile() ? describe(stat) : undefined
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, truncate } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { appendTo, type PartialWriter } from './append.ts'
import { type foldersUnder, ifThere } from './disk-folders.ts'
import { temporaryIn, writeAll } from './disk-write.ts'
import { asStorageFull } from './download.ts'
import { AppendTakenOver, ObjectNotFound } from './errors.ts'
import type { Appended, AppendOptions, PartialBody } from './port.ts'

interface AppendFolders {
  fileOf(key: string): string
  temporaries: string
  folders: ReturnType<typeof foldersUnder>
}

/** Bodies that come with interruptions, each in one file that grows: what lies beyond its size never counted. */
export function partialFiles({ fileOf, temporaries, folders }: AppendFolders) {
  const underWay = new Map<string, { source: Readable; ended: Promise<unknown> }>()

  /** A file has one writer: two would write at the same place. */
  async function endOther(prefix: string): Promise<void> {
    const other = underWay.get(prefix)
    other?.source.destroy(new AppendTakenOver())
    await other?.ended
  }

  async function begin(key: string): Promise<FileHandle> {
    const temporary = temporaryIn(temporaries)
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await folders.renameInto(temporary, fileOf(key))
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async function openWriter(prefix: string, to: PartialBody): Promise<PartialWriter> {
    const piece = to.pieces[0]
    const key = piece?.key ?? prefix + randomUUID()
    const handle = piece ? await ifThere(open(fileOf(key), 'r+')) : await begin(key)
    if (!handle) throw new ObjectNotFound(key)
    let position = to.size
    await handle.truncate(position)
    return {
      async write(chunks) {
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
        await writeAll(handle, chunks, position)
        position += bytes
      },
      async keep() {
        const size = position
        await handle.datasync()
        return { size, pieces: [{ key, size }] }
      },
      noted: async () => {},
      isBusy: () => false,
      undo: () => handle.truncate(to.size),
      close: () => handle.close(),
    }
  }

  return {
    async append(prefix: string, source: Readable, options: AppendOptions): Promise<Appended> {
      // It may break off before anybody reads it; the one who reads finds that out.
      source.on('error', () => {})
      while (underWay.has(prefix)) await endOther(prefix)
      const work = openWriter(prefix, options.to).then((writer) => appendTo(writer, source, options))
      const forget = () => {
        underWay.delete(prefix)
      }
      const ended = work.then(forget, forget)
      underWay.set(prefix, { source, ended })
      try {
        return await work
      } catch (error) {
        throw asStorageFull(error)
      }
    },

    /** Cuts off what a crash has left beyond the body's end, where there is a body. */
    async trim({ size, pieces: [piece] }: PartialBody): Promise<string | undefined> {
      if (!piece) return undefined
      await endOther(piece.key.slice(0, piece.key.lastIndexOf('/') + 1))
      const trimmed = await ifThere(truncate(fileOf(piece.key), size).then(() => true))
      if (!trimmed) throw new ObjectNotFound(piece.key)
      return piece.key
    },
  }
}

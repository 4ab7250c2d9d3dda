import { open } from 'node:fs/promises'
import path from 'node:path'
import { SpoolFull } from './port.ts'

export interface Writing {
  readonly bytes: number
  /** All of it and on the disk, or nothing of it. One at a time. */
  append(text: string): Promise<void>
  close(): Promise<void>
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export async function writeSegment(file: string): Promise<Writing> {
  const handle = await open(file, 'wx', 0o600).catch((error) => {
    throw asFull(error)
  })
  let bytes = 0
  let isNamed = false
  let isTorn = false

  return {
    get bytes() {
      return bytes
    },
    async append(text) {
      const content = Buffer.from(text)
      try {
        // Half a line must not be continued by the next one.
        if (isTorn) await handle.truncate(bytes)
        isTorn = true
        for (let done = 0; done < content.length; ) {
          const { bytesWritten } = await handle.write(content, done, content.length - done, bytes + done)
          done += bytesWritten
        }
        await handle.datasync()
        if (!isNamed) await flushFolderOf(file)
        isNamed = true
        isTorn = false
        bytes += content.length
      } catch (error) {
        throw asFull(error)
      }
    },
    async close() {
      try {
        if (isTorn) await handle.truncate(bytes)
      } finally {
        await handle.close()
      }
    },
  }
}

function asFull(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  return FULL.has(code ?? '') ? new SpoolFull(message) : error
}

async function flushFolderOf(file: string): Promise<void> {
  const folder = await open(path.dirname(file))
  await folder.sync().finally(() => folder.close())
}

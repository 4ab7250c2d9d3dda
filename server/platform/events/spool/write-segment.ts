import { open } from 'node:fs/promises'
import path from 'node:path'
import { flushFolder } from '../../flush-folder.ts'
import { EventsFull } from '../errors.ts'
import type { SpoolSegment } from './port.ts'

export interface Writing extends SpoolSegment {
  /** When it was begun, in milliseconds since 1970. */
  readonly begun: number
  /** All of it and on the disk, or nothing of it. One at a time. */
  append(content: Buffer): Promise<void>
  close(): Promise<void>
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

export async function writeSegment(number: number, file: string): Promise<Writing> {
  const handle = await open(file, 'wx', 0o600).catch((error) => {
    throw asFull(error)
  })
  const begun = Date.now()
  let bytes = 0
  let written = begun
  let isNamed = false
  let isTorn = false

  /** What was refused must not be found here later, and half a line not be continued by the next one. */
  async function mend(): Promise<void> {
    await handle.truncate(bytes)
    await handle.datasync()
    isTorn = false
  }

  return {
    number,
    path: file,
    begun,
    get bytes() {
      return bytes
    },
    get written() {
      return written
    },
    async append(content) {
      try {
        if (isTorn) await mend()
        isTorn = true
        for (let done = 0; done < content.length; ) {
          const { bytesWritten } = await handle.write(content, done, content.length - done, bytes + done)
          done += bytesWritten
        }
        await handle.datasync()
        if (!isNamed) await flushFolder(path.dirname(file))
        isNamed = true
        isTorn = false
        bytes += content.length
        written = Date.now()
      } catch (error) {
        await mend().catch(() => {})
        throw asFull(error)
      }
    },
    async close() {
      try {
        if (isTorn) await mend()
      } finally {
        await handle.close()
      }
    },
  }
}

function asFull(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  return FULL.has(code ?? '') ? new EventsFull(message) : error
}

import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Segment, Spool } from './port.ts'
import { lengthOfWholeLines } from './recover.ts'
import { type Writing, writeSegment } from './write-segment.ts'

export interface SpoolOptions {
  /** A segment that has grown to this size is sealed by itself. */
  segmentBytes: number
}

const WHOLE = /^(\d{16})\.ndjson$/
const OPEN = '.open'

/** Opens a folder for one process at a time. */
export async function openSpool(folder: string, { segmentBytes }: SpoolOptions): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await recover(folder)
  let last = (await listWhole(folder)).at(-1)?.number ?? 0
  let writing: Writing | undefined
  let closed = false
  // Sealing waits for the appends before it, and appends after it for the sealing.
  let turn: Promise<unknown> = Promise.resolve()
  let queue: { text: string; resolve: () => void; reject: (error: unknown) => void }[] = []

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  /** Everything that has come while the last write was under way shares one write and one flush. */
  async function writeQueue(): Promise<void> {
    const taken = queue
    queue = []
    if (taken.length === 0) return
    try {
      writing ??= await begin()
      await writing.append(taken.map(({ text }) => text).join(''))
      for (const { resolve } of taken) resolve()
    } catch (error) {
      for (const { reject } of taken) reject(error)
      return
    }
    if (writing.bytes >= segmentBytes) await sealNow()
  }

  async function begin(): Promise<Writing> {
    // The time, since the folder does not remember the numbers of segments that were removed.
    last = Math.max(last + 1, Date.now())
    return writeSegment(openPath(folder, last))
  }

  async function sealNow(): Promise<void> {
    if (!writing) return
    const { bytes } = writing
    await writing.close()
    writing = undefined
    if (bytes === 0) return rm(openPath(folder, last))
    await rename(openPath(folder, last), wholePath(folder, last))
    await flushFolder(folder)
  }

  return {
    append(lines) {
      if (closed) return Promise.reject(new Error('the spool is closed'))
      const text = lines.map((line) => `${line}\n`).join('')
      return new Promise((resolve, reject) => {
        queue.push({ text, resolve, reject })
        if (queue.length === 1) inTurn(writeQueue)
      })
    },
    seal: () => inTurn(sealNow),
    segments: () => listWhole(folder),
    remove: (number) => rm(wholePath(folder, number), { force: true }),
    async close() {
      closed = true
      await inTurn(sealNow)
    },
  }
}

/** Makes a whole segment of what a crash has left open, without what it cut off. */
async function recover(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(OPEN)) continue
    const file = path.join(folder, name)
    const handle = await open(file, 'r+')
    const length = await lengthOfWholeLines(handle)
    await handle.truncate(length)
    await handle.sync()
    await handle.close()
    if (length === 0) await rm(file)
    else await rename(file, file.slice(0, -OPEN.length))
    await flushFolder(folder)
  }
}

async function listWhole(folder: string): Promise<Segment[]> {
  const numbers = (await readdir(folder)).flatMap((name) => {
    const digits = WHOLE.exec(name)?.[1]
    return digits === undefined ? [] : [Number(digits)]
  })
  return Promise.all(
    numbers
      .sort((a, b) => a - b)
      .map(async (number) => {
        const file = wholePath(folder, number)
        return { number, path: file, bytes: (await stat(file)).size }
      }),
  )
}

function wholePath(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(16, '0')}.ndjson`)
}

function openPath(folder: string, number: number): string {
  return wholePath(folder, number) + OPEN
}

/** Names are on the disk when their folder is. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

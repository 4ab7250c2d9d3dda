import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mutex } from '../../../base/async/mutex.ts'
import { flushFolder } from '../../flush-folder.ts'
import { EventsFull } from '../errors.ts'
import { eraseLines } from './erase-lines.ts'
import type { Spool, SpoolSegment } from './port.ts'
import { recoverSegment } from './recover.ts'
import { type Writing, writeSegment } from './write-segment.ts'

export interface SpoolOptions {
  /** A segment that has grown to this size is followed by a new one, */
  segmentBytes: number
  /** and so is one of this age. */
  segmentSeconds: number
  /** All segments together. */
  maxBytes: number
}

const NAME = /^(\d{16})\.ndjson$/

/** Opens a folder for one process at a time. */
export async function openSpool(folder: string, options: SpoolOptions): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const id = await idOf(folder)
  const segments: SpoolSegment[] = await readSegments(folder)
  let last = segments.at(-1)?.number ?? 0
  let total = segments.reduce((sum, { bytes }) => sum + bytes, 0)
  let writing: Writing | undefined
  let closed = false
  const exclusively = mutex()
  /** What is done to lines that nobody writes any more; others are appended meanwhile. */
  const tidily = mutex()
  let queue: { text: string; resolve: () => void; reject: (error: unknown) => void }[] = []

  /** Everything that has come while the last write was under way shares one write and one flush. */
  async function writeQueue(): Promise<void> {
    const taken = queue
    queue = []
    try {
      await write(Buffer.from(taken.map(({ text }) => text).join('')))
      for (const { resolve } of taken) resolve()
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
  }

  async function write(content: Buffer): Promise<void> {
    if (total + content.length > options.maxBytes) throw new EventsFull('the spool has grown to its limit')
    const current = await segmentToWrite()
    await current.append(content)
    total += content.length
  }

  async function segmentToWrite(): Promise<Writing> {
    const isFull =
      writing &&
      (writing.bytes >= options.segmentBytes || Date.now() - writing.begun >= options.segmentSeconds * 1000)
    if (writing && !isFull) return writing
    await writing?.close()
    writing = undefined
    // The time, since the folder does not remember the numbers of segments that were removed.
    last = Math.max(last + 1, Date.now())
    writing = await writeSegment(last, path.join(folder, nameOf(last)))
    segments.push(writing)
    return writing
  }

  return {
    id,
    append(line) {
      if (closed) return Promise.reject(new Error('the spool is closed'))
      return new Promise((resolve, reject) => {
        queue.push({ text: `${line}\n`, resolve, reject })
        if (queue.length === 1) exclusively(writeQueue)
      })
    },
    end() {
      const segment = segments.at(-1)
      return segment && { segment: segment.number, offset: segment.bytes }
    },
    segments: () => segments,
    erase: (erased, to) =>
      tidily(async () => {
        for (const { number, path: file, bytes } of [...segments])
          if (number <= to.segment) await eraseLines(file, number === to.segment ? to.offset : bytes, erased)
      }),
    remove: (number) =>
      tidily(() =>
        exclusively(async () => {
          const at = segments.findIndex((segment) => segment.number === number)
          if (at < 0 || segments[at] === writing) return
          const [{ path: file, bytes }] = segments.splice(at, 1) as [SpoolSegment]
          total -= bytes
          await rm(file, { force: true })
        }),
      ),
    close() {
      closed = true
      return exclusively(async () => writing?.close())
    },
  }
}

/** A name that no other spool has, given at the first opening. */
async function idOf(folder: string): Promise<string> {
  const file = path.join(folder, 'id')
  const known = await readFile(file, 'utf8').catch(() => '')
  if (known) return known
  const id = randomBytes(12).toString('hex')
  await writeFile(file, id, { mode: 0o600, flush: true })
  await flushFolder(folder)
  return id
}

async function readSegments(folder: string): Promise<SpoolSegment[]> {
  const numbers = (await readdir(folder)).flatMap((name) => NAME.exec(name)?.[1] ?? []).map(Number)
  const segments: SpoolSegment[] = []
  for (const number of numbers.sort((a, b) => a - b)) {
    const segment = await recoverSegment(number, path.join(folder, nameOf(number)))
    if (segment) segments.push(segment)
  }
  return segments
}

function nameOf(number: number): string {
  return `${String(number).padStart(16, '0')}.ndjson`
}

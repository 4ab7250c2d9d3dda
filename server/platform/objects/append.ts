import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { WRITE_BYTES } from './disk-write.ts'
import { ChecksumMismatch } from './errors.ts'
import { type Measured, measure } from './measure.ts'
import type { Appended, AppendOptions, PartialBody } from './port.ts'

/** How a store takes what is appended to a body. No two of its methods but `keep` and `write` are called at once. */
export interface PartialWriter {
  write(chunks: Buffer[]): Promise<void>
  /** Makes what was written durable and answers what the body is with it; `all`: also what is too short for a piece of its own. */
  keep(all: boolean): Promise<PartialBody>
  /** What was last kept is written down: what it replaced may go. */
  noted(): Promise<void>
  /** Whether something is on its way into the store. */
  isBusy(): boolean
  /** Takes back what was written. */
  undo(): Promise<void>
  close(): Promise<void>
}

const KEEP_MS = 1000

/** Appends a source to a body, whatever store it is in: see `ObjectStore.append`. */
export async function appendTo(
  writer: PartialWriter,
  source: Readable,
  options: AppendOptions,
): Promise<Appended> {
  const { checksum, onKept, to, maxBytes } = options
  const hash = checksum && createHash(checksum.algorithm)
  const body = measure(source, { maxBytes, freeBuffers: true })
  const sink = batchesInto(writer, body)

  async function keep(all: boolean): Promise<PartialBody> {
    const kept = await writer.keep(all)
    await onKept(kept)
    await writer.noted()
    return kept
  }

  const ticking = repeatWhileOpen(async () => {
    const isSilent = sink.takeArrived() === 0
    if (isSilent && !sink.hasNews() && !writer.isBusy()) return
    // Nothing counts before its checksum was seen; but whoever asks shall know that somebody is at it.
    if (checksum) return onKept(to)
    await sink.flush()
    await keep(isSilent)
    if (isSilent) sink.settle()
  })
  let brokenOff: unknown
  try {
    for await (const chunk of body.chunks) {
      ticking.throwFailure()
      hash?.update(chunk)
      await sink.take(chunk)
    }
  } catch (error) {
    brokenOff = error
  }
  try {
    await ticking.stop()
    await sink.flush()
    if (checksum && (brokenOff !== undefined || !hash!.digest().equals(checksum.digest))) {
      await writer.undo()
      if (brokenOff === undefined) throw new ChecksumMismatch()
      return { body: to, brokenOff }
    }
    const kept = await keep(true)
    return brokenOff === undefined ? { body: kept } : { body: kept, brokenOff }
  } finally {
    await writer.close()
  }
}

/** Hands chunks on half a megabyte at a time, and takes in the next ones meanwhile. */
function batchesInto(writer: PartialWriter, body: Measured) {
  let gathered: Buffer[] = []
  let bytes = 0
  let arrived = 0
  let hasNews = false
  let writing: Promise<void> = Promise.resolve()

  /** Begins to write what was gathered, after what was handed on before; answers when that was written. */
  function write(): Promise<void> {
    const [before, chunks] = [writing, gathered]
    gathered = []
    bytes = 0
    writing = before.then(() => writer.write(chunks)).then(() => body.stored(chunks))
    // Whoever waits for it next hears of it.
    writing.catch(() => {})
    return before
  }

  return {
    async take(chunk: Buffer): Promise<void> {
      gathered.push(chunk)
      bytes += chunk.length
      arrived += chunk.length
      hasNews = true
      if (bytes >= WRITE_BYTES) await write()
    },
    async flush(): Promise<void> {
      if (bytes > 0) write()
      await writing
    },
    /** Bytes since it was last asked. */
    takeArrived(): number {
      const count = arrived
      arrived = 0
      return count
    },
    hasNews: () => hasNews,
    /** All that came is kept. */
    settle(): void {
      hasNews = arrived > 0
    },
  }
}

/** Does something again and again, never twice at once, until it fails or is stopped. */
function repeatWhileOpen(work: () => Promise<void>) {
  let failure: { error: unknown } | undefined
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    if (running || failure) return
    running = work()
      .catch((error) => {
        failure = { error }
      })
      .finally(() => {
        running = undefined
      })
  }, KEEP_MS)
  function throwFailure(): void {
    if (failure) throw failure.error
  }
  return {
    throwFailure,
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
      throwFailure()
    },
  }
}

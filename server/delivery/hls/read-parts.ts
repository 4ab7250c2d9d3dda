import { Readable } from 'node:stream'
import { notFound } from '../../base/errors.ts'
import type { ObjectStore } from '../../platform/objects/port.ts'
import type { Range } from '../deliverable.ts'

/** A piece of a file that is put together: bytes in memory, or a stretch of an object. */
export type DownloadPart = Buffer | { key: string; start: number; bytes: number }

/** Those bytes of the parts behind each other that are asked for. */
export function readParts(parts: DownloadPart[], range: Range | undefined, objects: ObjectStore): Readable {
  return Readable.from(pieces(parts, range, objects), { objectMode: false })
}

async function* pieces(
  parts: DownloadPart[],
  range: Range | undefined,
  objects: ObjectStore,
): AsyncGenerator<Buffer> {
  const first = range?.start ?? 0
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY
  let passed = 0
  for (const one of parts) {
    const length = Buffer.isBuffer(one) ? one.length : one.bytes
    const from = Math.max(0, first - passed)
    const to = Math.min(length, end - passed)
    passed += length
    if (passed - length >= end) return
    if (from >= to) continue
    if (Buffer.isBuffer(one)) {
      yield one.subarray(from, to)
      continue
    }
    const opened = await objects.get(one.key, { start: one.start + from, end: one.start + to - 1 })
    // Deleted while it was read: the connection ends before what was promised, which tells the client.
    if (!opened) throw notFound()
    yield* opened.stream
  }
}

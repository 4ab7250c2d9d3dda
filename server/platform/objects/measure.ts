import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { freeBuffers } from '../../base/free-buffers.ts'
import { ObjectSizeMismatch, ObjectTooLarge } from './errors.ts'
import type { PutOptions } from './port.ts'

export interface Measured {
  /** The source's bytes; ends with an error where they are too many, or not the announced number. */
  chunks: AsyncIterable<Buffer>
  /** What has passed; final once the chunks have ended. */
  total(): { size: number; sha256?: string }
  /** Told of chunks that have been stored. */
  stored(chunks: Buffer[]): void
}

/** Counts a body on its way into a store, and hashes it where that was asked for: it costs more than all else. */
export function measure(source: Readable | Buffer, options: PutOptions): Measured {
  const { maxBytes = Infinity, size, sha256 = false } = options
  const hash = sha256 ? createHash('sha256') : undefined
  let received = 0
  // The iterator finds an error that came before it began; with nobody listening it would end the process.
  if (!Buffer.isBuffer(source)) source.on('error', () => {})

  async function* chunks() {
    if (size !== undefined && size > maxBytes) throw new ObjectTooLarge(maxBytes)
    const pieces = Buffer.isBuffer(source) ? [source] : source.iterator({ destroyOnReturn: false })
    for await (const piece of pieces) {
      const chunk: Buffer = Buffer.isBuffer(piece) ? piece : Buffer.from(piece)
      received += chunk.length
      if (received > maxBytes) throw new ObjectTooLarge(maxBytes)
      if (size !== undefined && received > size) throw new ObjectSizeMismatch(size, received)
      hash?.update(chunk)
      yield chunk
    }
    if (size !== undefined && received !== size) throw new ObjectSizeMismatch(size, received)
  }

  return {
    chunks: chunks(),
    total: () => ({ size: received, ...(hash && { sha256: hash.digest('hex') }) }),
    stored: options.freeBuffers && !Buffer.isBuffer(source) ? freeBuffers : () => {},
  }
}

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer as readBuffer } from 'node:stream/consumers'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { PartialWriter } from './append.ts'
import { ObjectNotFound } from './errors.ts'
import type { PartialBody } from './port.ts'
import { isMissing } from './s3-errors.ts'

const PIECE_BYTES = 8 * 2 ** 20
/** S3 takes no shorter part but the last. A shorter piece is a tail: the next bytes are stored again together with it. */
const LEAST_PART_BYTES = 5 * 2 ** 20
const PIECES_IN_FLIGHT = 2

interface StoredPiece {
  key: string
  size: number
}

/**
 * Takes what is appended as objects of eight megabytes, and what is left at the end as a shorter one. All of them are in S3, so
 * that any process can go on; and each has a key that nobody had before, so that somebody who is late replaces nothing.
 */
export async function openPieceWriter(
  client: S3Client,
  Bucket: string,
  { prefix, to }: { prefix: string; to: PartialBody },
): Promise<PartialWriter> {
  const last = to.pieces.at(-1)
  const first = last && last.size < LEAST_PART_BYTES ? to.pieces.slice(0, -1) : to.pieces
  /** Full pieces after the first ones, in order. */
  const sent: (StoredPiece & { isStored: boolean })[] = []
  /** What is kept of the piece that is being filled, which comes after so many of those that were sent. */
  let tail: (StoredPiece & { after: number }) | undefined =
    last && first.length < to.pieces.length ? { ...last, after: 0 } : undefined
  let replaced: string[] = []
  const inFlight = new Set<Promise<void>>()
  const spare: Buffer[] = []
  let piece: Buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  let filled = tail ? (await readPiece(client, { Bucket, Key: tail.key })).copy(piece) : 0

  const put = async (key: string, Body: Buffer) => {
    await client.send(new PutObjectCommand({ Bucket, Key: key, Body }))
  }
  const remove = async (Key: string) => {
    // What stays is swept with the rest.
    await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => {})
  }

  async function send(): Promise<void> {
    const full = piece
    const entry = { key: prefix + randomUUID(), size: full.length, isStored: false }
    sent.push(entry)
    piece = spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
    filled = 0
    const sending = put(entry.key, full).then(() => {
      entry.isStored = true
      spare.push(full)
    })
    inFlight.add(sending)
    // One that fails stays in the set, where the next wait finds it.
    sending.then(
      () => inFlight.delete(sending),
      () => {},
    )
    if (inFlight.size >= PIECES_IN_FLIGHT) await Promise.race(inFlight)
  }

  /** Stores what is in the piece that is being filled, unless that was done. */
  async function putTail(): Promise<void> {
    const [after, size] = [sent.length, filled]
    if (size === 0 || (tail?.after === after && tail.size === size)) return
    const key = prefix + randomUUID()
    await put(key, piece.subarray(0, size))
    if (tail) replaced.push(tail.key)
    tail = { key, size, after }
  }

  return {
    async write(chunks) {
      for (const chunk of chunks)
        for (let taken = 0; taken < chunk.length; ) {
          const copied = chunk.copy(piece, filled, taken)
          taken += copied
          filled += copied
          if (filled === piece.length) await send()
        }
    },
    async keep(all) {
      if (all) {
        await Promise.all(inFlight)
        await putTail()
      }
      const gap = sent.findIndex(({ isStored }) => !isStored)
      const stored = gap === -1 ? sent.length : gap
      if (tail && tail.after < stored) {
        replaced.push(tail.key)
        tail = undefined
      }
      const pieces = [...first, ...sent.slice(0, stored), ...(tail?.after === stored ? [tail] : [])].map(
        ({ key, size }) => ({ key, size }),
      )
      return { size: pieces.reduce((sum, { size }) => sum + size, 0), pieces }
    },
    async noted() {
      const gone = replaced
      replaced = []
      await Promise.all(gone.map(remove))
    },
    isBusy: () => inFlight.size > 0,
    async undo() {
      await Promise.allSettled(inFlight)
      const kept = new Set(to.pieces.map(({ key }) => key))
      const made = [...sent, ...(tail ? [tail] : [])].filter(({ key }) => !kept.has(key))
      await Promise.all(made.map(({ key }) => remove(key)))
    },
    async close() {
      await Promise.allSettled(inFlight)
    },
  }
}

async function readPiece(client: S3Client, target: { Bucket: string; Key: string }): Promise<Buffer> {
  try {
    return await readBuffer((await client.send(new GetObjectCommand(target))).Body as Readable)
  } catch (error) {
    throw isMissing(error) ? new ObjectNotFound(target.Key) : error
  }
}

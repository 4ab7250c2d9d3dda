import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ObjectExists, ObjectTooLarge } from './errors.ts'
import { type Measured, measure } from './measure.ts'
import type { PutBodyOptions, StoredObject } from './port.ts'
import { codeOf } from './s3-errors.ts'

const PART_BYTES = 8 * 2 ** 20
const MAX_PARTS = 10_000
// With the one being filled, three are in memory: whole, as only then a failed one can be sent again.
const PARTS_IN_FLIGHT = 2

export interface Target {
  Bucket: string
  Key: string
}

/** Sends a body of any length: at once where it is shorter than a part, in parts otherwise. */
export async function upload(
  client: S3Client,
  target: Target,
  source: Readable | Buffer,
  options: PutBodyOptions,
): Promise<StoredObject> {
  const body = measure(source, options)
  const length = Buffer.isBuffer(source) ? source.length : options.size
  if (options.ifAbsent && length === undefined) throw new TypeError('ifAbsent needs a size')
  // Some servers know conditions of an object that is sent at once, and ignore them where it comes in parts.
  const partBytes = options.ifAbsent
    ? Math.max(PART_BYTES, length! + 1)
    : Math.max(PART_BYTES, Math.ceil((length ?? 0) / MAX_PARTS))
  const spare: Buffer[] = []
  // A short body gets one byte more than it needs: were its part full, its end would not be seen.
  const take = () => spare.pop() ?? Buffer.allocUnsafeSlow(Math.min(partBytes, (length ?? partBytes) + 1))
  const parts = cut(body, take)

  const kind = { ...target, ContentType: options.contentType }
  const first = (await parts.next()).value ?? Buffer.alloc(0)
  const put = (condition = {}) => client.send(new PutObjectCommand({ ...kind, ...condition, Body: first }))
  const sendAtOnce = async () => (options.ifAbsent ? putIfAbsent(target.Key, put) : (await put()).ETag)
  const etag =
    first.length < partBytes
      ? await sendAtOnce()
      : await uploadParts(client, kind, [first, parts], (part) => spare.push(part))
  // Ceph answers a completed upload with an empty one.
  return { ...body.total(), etag: etag || (await client.send(new HeadObjectCommand(target))).ETag! }
}

async function putIfAbsent(
  key: string,
  put: (condition?: { IfNoneMatch: string }) => Promise<{ ETag?: string }>,
): Promise<string | undefined> {
  for (;;) {
    try {
      return (await put({ IfNoneMatch: '*' })).ETag
    } catch (error) {
      if (codeOf(error) === 'PreconditionFailed') throw new ObjectExists(key)
      if (codeOf(error) === 'NotImplemented') return (await put()).ETag
      // Somebody else puts or deletes it at the same time: how that ends is seen the next time.
      if (codeOf(error) !== 'ConditionalRequestConflict') throw error
    }
  }
}

/** The same bytes in full parts, and one that may be shorter at the end. */
async function* cut(body: Measured, take: () => Buffer): AsyncGenerator<Buffer, undefined> {
  let part = take()
  let filled = 0
  for await (const chunk of body.chunks) {
    let taken = 0
    while (taken < chunk.length) {
      const copied = chunk.copy(part, filled, taken)
      taken += copied
      filled += copied
      if (filled < part.length) continue
      yield part
      part = take()
      filled = 0
    }
    body.stored([chunk])
  }
  if (filled > 0) yield part.subarray(0, filled)
}

async function uploadParts(
  client: S3Client,
  kind: Target & { ContentType?: string },
  [first, rest]: [Buffer, AsyncIterable<Buffer>],
  release: (part: Buffer) => void,
): Promise<string | undefined> {
  const { Bucket, Key } = kind
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(kind))
  const inFlight = new Set<Promise<void>>()
  const done: CompletedPart[] = []

  async function send(Body: Buffer, PartNumber: number): Promise<void> {
    const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
    done[PartNumber - 1] = { ETag, PartNumber }
    release(Body)
  }

  async function start(part: Buffer, number: number): Promise<void> {
    if (number > MAX_PARTS) throw new ObjectTooLarge(MAX_PARTS * first.length)
    const sending = send(part, number)
    inFlight.add(sending)
    // One that fails stays in the set, where the next wait finds it.
    sending.then(
      () => inFlight.delete(sending),
      () => {},
    )
    if (inFlight.size >= PARTS_IN_FLIGHT) await Promise.race(inFlight)
  }

  try {
    let number = 1
    await start(first, number)
    for await (const part of rest) await start(part, ++number)
    await Promise.all(inFlight)
    const MultipartUpload = { Parts: done }
    const completed = await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }),
    )
    return completed.ETag
  } catch (error) {
    // A part that arrives after the abort would stay.
    await Promise.allSettled(inFlight)
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {})
    throw error
  }
}

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { notFound } from '../base/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'
import type { HotObjects } from './hot-objects.ts'

/** Something that can be sent, whole or in part. */
export interface Deliverable {
  contentType: string
  size: number
  etag: string
  lastModified: Date
  /** How long caches in front may keep it. */
  caching: string
  open(range?: Range): Promise<Readable | Buffer>
}

export interface Range {
  start: number
  end: number
}

export function part(whole: Buffer, range: Range | undefined): Buffer {
  return range ? whole.subarray(range.start, range.end + 1) : whole
}

/** An object as it is kept. The name in memory tells its version. */
export function objectDeliverable(
  about: Omit<Deliverable, 'open'> & { key: string },
  { objects, hot }: { objects: ObjectStore; hot: HotObjects },
): Deliverable {
  const { key, ...rest } = about
  async function open(range?: Range): Promise<Readable> {
    const opened = await objects.get(key, range)
    // Replaced or deleted between the look-up and now; the next request finds what there is.
    if (opened?.size === rest.size) return opened.stream
    opened?.stream.destroy()
    throw notFound()
  }
  return {
    ...rest,
    async open(range) {
      const whole = await hot.get(`${key} ${rest.etag}`, rest.size, async () => buffer(await open()))
      return whole ? part(whole, range) : open(range)
    },
  }
}

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { notFound } from '../base/errors.ts'
import type { ObjectStore } from '../platform/objects/port.ts'

/** Something that can be sent, whole or in part. */
export interface Deliverable {
  contentType: string
  size: number
  etag: string
  lastModified: Date
  /** How long caches in front may keep it. */
  caching: string
  /** What it is to be kept as, where it is for keeping. */
  fileName?: string
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

/** An LRU cache of bodies, whole and in memory. */
export interface HotObjects {
  /**
   * The body of this name, by `load` where it is not here, once however many ask; undefined where it is
   * too large to be kept. The name has to be another one for every version of the body.
   */
  get(name: string, size: number, load: () => Promise<Buffer>): Promise<Buffer> | undefined
}

const MAX_BYTES = 64 * 2 ** 20
const MAX_OBJECT_BYTES = 2 ** 20

export function hotObjects(maxBytes = MAX_BYTES, maxObjectBytes = MAX_OBJECT_BYTES): HotObjects {
  const cache = new LRUCache<string, Promise<Buffer>>({ maxSize: maxBytes })
  return {
    get(name, size, load) {
      if (size > maxObjectBytes) return undefined
      const known = cache.get(name)
      if (known) return known
      const body = load()
      cache.set(name, body, { size: Math.max(1, size) })
      body.catch(() => {
        if (cache.peek(name) === body) cache.delete(name)
      })
      return body
    },
  }
}

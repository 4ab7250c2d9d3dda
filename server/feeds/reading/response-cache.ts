import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../../base/ids.ts'

/** An answer as it goes over the wire, of one version of what it shows. */
export interface VersionedResponse {
  version: number
  body: Buffer
  etag: string
  /** Whose it is, where more than the answer depends on that. */
  projectId?: ProjectId
}

export interface Fresh {
  version: number
  /** As it is sent. */
  text: string
  projectId?: ProjectId
}

export interface ResponseCache {
  /**
   * The answer of this name: the one at hand where it is of the version that there is now, or else a new
   * one. Undefined where there is none any more.
   */
  get(
    name: string,
    version: () => Promise<number | undefined>,
    read: () => Promise<Fresh | undefined>,
  ): Promise<VersionedResponse | undefined>
}

const MAX_BYTES = 64 * 2 ** 20

/** An LRU cache of answers. */
export function responseCache(maxBytes = MAX_BYTES): ResponseCache {
  const cache = new LRUCache<string, VersionedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length || 1,
  })

  return {
    async get(name, version, read) {
      const known = cache.get(name)
      if (known && (await version()) === known.version) return known
      const fresh = await read()
      if (!fresh) {
        cache.delete(name)
        return undefined
      }
      const body = Buffer.from(fresh.text)
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
      const made = { version: fresh.version, body, etag, projectId: fresh.projectId }
      cache.set(name, made)
      return made
    },
  }
}

import { createHash } from 'node:crypto'
import { keptBySize } from '../../base/kept-by-size.ts'

/** An answer as it goes over the wire, of one version of what it shows. */
export interface Copy {
  version: number
  body: Buffer
  etag: string
}

export interface Fresh {
  version: number
  answer: unknown
}

export interface Copies {
  /**
   * The answer of this name: the copy at hand where it is of the version that there is now, or else a new
   * one. Undefined where there is none any more.
   */
  get(
    name: string,
    version: () => Promise<number | undefined>,
    read: () => Promise<Fresh | undefined>,
  ): Promise<Copy | undefined>
}

const MAX_BYTES = 64 * 2 ** 20

/** Answers that were asked for lately. */
export function copies(maxBytes = MAX_BYTES): Copies {
  const kept = keptBySize<Copy>(maxBytes)

  return {
    async get(name, version, read) {
      const known = kept.get(name)
      if (known && (await version()) === known.version) {
        // Unless a newer one has come meanwhile.
        if (kept.get(name) === known) kept.set(name, known, known.body.length)
        return known
      }
      const fresh = await read()
      if (!fresh) {
        kept.drop(name)
        return undefined
      }
      const body = Buffer.from(JSON.stringify(fresh.answer))
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
      const copy = { version: fresh.version, body, etag }
      kept.set(name, copy, body.length)
      return copy
    },
  }
}

import { keptBySize } from '../base/kept-by-size.ts'

/** Bodies that were asked for lately, whole and in memory. */
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
  const kept = keptBySize<Promise<Buffer>>(maxBytes)
  return {
    get(name, size, load) {
      if (size > maxObjectBytes) return undefined
      const known = kept.get(name)
      const body = known ?? load()
      kept.set(name, body, size)
      if (!known)
        body.catch(() => {
          if (kept.get(name) === body) kept.drop(name)
        })
      return body
    },
  }
}

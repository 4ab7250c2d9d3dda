/** Bodies that were asked for lately, whole and in memory; what was not asked for the longest goes first. */
export interface HotObjects {
  /**
   * The body of this name, by `load` where it is not here, once however many ask; undefined where it is
   * too large to be kept. The name has to be another one for every version of the body.
   */
  get(name: string, size: number, load: () => Promise<Buffer>): Promise<Buffer> | undefined
}

interface Entry {
  size: number
  body: Promise<Buffer>
}

const MAX_BYTES = 64 * 2 ** 20
const MAX_OBJECT_BYTES = 2 ** 20

export function hotObjects(maxBytes = MAX_BYTES, maxObjectBytes = MAX_OBJECT_BYTES): HotObjects {
  // In the order of their last use.
  const entries = new Map<string, Entry>()
  let total = 0

  function add(name: string, entry: Entry): void {
    entries.set(name, entry)
    total += entry.size
  }

  function remove(name: string): void {
    total -= entries.get(name)!.size
    entries.delete(name)
  }

  return {
    get(name, size, load) {
      if (size > maxObjectBytes) return undefined
      const known = entries.get(name)
      if (known) remove(name)
      const entry = known ?? { size, body: load() }
      add(name, entry)
      if (!known)
        entry.body.catch(() => {
          if (entries.get(name) === entry) remove(name)
        })
      while (total > maxBytes) remove(entries.keys().next().value!)
      return entry.body
    },
  }
}

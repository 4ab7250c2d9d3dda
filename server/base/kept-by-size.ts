/** Things under names, of a total size; what was not used the longest goes first. */
export interface KeptBySize<T> {
  get(name: string): T | undefined
  /** Also says that it was used. */
  set(name: string, thing: T, size: number): void
  drop(name: string): void
}

export function keptBySize<T>(maxSize: number): KeptBySize<T> {
  // In the order of their last use.
  const kept = new Map<string, { thing: T; size: number }>()
  let total = 0

  function drop(name: string): void {
    total -= kept.get(name)?.size ?? 0
    kept.delete(name)
  }

  return {
    get: (name) => kept.get(name)?.thing,
    set(name, thing, size) {
      drop(name)
      kept.set(name, { thing, size })
      total += size
      while (total > maxSize) drop(kept.keys().next().value!)
    },
    drop,
  }
}

export interface GatherOptions<T> {
  /** How many times at once it is done. */
  lanes: number
  /** How many are done at once at most, and how much they may weigh together. */
  most: number
  heaviest: number
  weigh(item: T): number
  /** Whether each would fail alone as well: then none is tried again. */
  failsForAll(error: unknown): boolean
}

interface Waiting<T, R> {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * Does one thing for many who ask at the same time: those who come while all lanes are taken wait,
 * and are done together after them. One that makes all fail is found by doing each alone.
 */
export function gather<T, R>(
  work: (items: T[]) => Promise<R[]>,
  { lanes, most, heaviest, weigh, failsForAll }: GatherOptions<T>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  let busy = 0

  function take(): Waiting<T, R>[] {
    let [count, weight] = [0, 0]
    while (count < waiting.length && count < most) {
      weight += weigh(waiting[count]!.item)
      if (count > 0 && weight > heaviest) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function run(some: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await work(some.map(({ item }) => item))
      some.forEach(({ resolve }, i) => {
        resolve(results[i]!)
      })
    } catch (error) {
      if (some.length > 1 && !failsForAll(error)) for (const one of some) await run([one])
      else for (const { reject } of some) reject(error)
    }
  }

  async function loop(): Promise<void> {
    busy++
    while (waiting.length > 0) {
      // Those who have come together are read in one turn.
      await new Promise((resolve) => setImmediate(resolve))
      await run(take())
    }
    busy--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (busy < lanes) void loop()
    })
}

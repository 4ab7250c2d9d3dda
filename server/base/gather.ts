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

/** Does it for all that `take` hands over, always the same, and answers for each. Taken late, they are more. */
export type Work<T, R> = (take: () => T[]) => Promise<R[]>

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
  work: Work<T, R>,
  { lanes, most, heaviest, weigh, failsForAll }: GatherOptions<T>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = []
  let busy = 0
  /** Lanes that are still going to take some. */
  let ready = 0

  function takeSome(): Waiting<T, R>[] {
    let [count, weight] = [0, 0]
    while (count < waiting.length && count < most) {
      weight += weigh(waiting[count]!.item)
      if (count > 0 && weight > heaviest) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function run(take: () => Waiting<T, R>[]): Promise<void> {
    let some: Waiting<T, R>[] | undefined
    const taken = () => {
      some ??= take()
      return some
    }
    try {
      const results = await work(() => taken().map(({ item }) => item))
      taken().forEach(({ resolve }, i) => {
        resolve(results[i]!)
      })
    } catch (error) {
      const all = taken()
      if (all.length > 1 && !failsForAll(error)) for (const one of all) await run(() => [one])
      else for (const { reject } of all) reject(error)
    }
  }

  async function lane(): Promise<void> {
    busy++
    while (waiting.length > ready * most) {
      ready++
      await run(() => {
        ready--
        return takeSome()
      })
    }
    busy--
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (busy < lanes && waiting.length > ready * most) void lane()
    })
}

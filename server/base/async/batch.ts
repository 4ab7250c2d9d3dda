export interface BatchOptions<T> {
  /** How many batches are under way at once. */
  concurrency: number
  /** How many items a batch has at maxItems, and how much they may weigh together. */
  maxItems: number
  maxWeight: number
  weigh(item: T): number
  /** Whether each would fail alone as well: then none is tried again. */
  failsForAll(error: unknown): boolean
}

/**
 * Processes a batch and answers for each of its items. `take` hands the items over, and the same ones when called
 * again. Whoever calls it late gets those that have come meanwhile, too.
 */
export type BatchWork<T, R> = (take: () => T[]) => Promise<R[]>

interface BatchWaiter<T, R> {
  item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * Batches items that come at the same time: those that come while as many batches are under way as may be
 * wait, and become the next batch together. Where a batch fails, each of its items is tried alone, so that one
 * bad item does not take the others along.
 */
export function batch<T, R>(
  work: BatchWork<T, R>,
  { concurrency, maxItems, maxWeight, weigh, failsForAll }: BatchOptions<T>,
): (item: T) => Promise<R> {
  const waiting: BatchWaiter<T, R>[] = []
  let busy = 0
  /** Batches that are still going to take their items. */
  let ready = 0

  function takeSome(): BatchWaiter<T, R>[] {
    let [count, weight] = [0, 0]
    while (count < waiting.length && count < maxItems) {
      weight += weigh(waiting[count]!.item)
      if (count > 0 && weight > maxWeight) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function run(take: () => BatchWaiter<T, R>[]): Promise<void> {
    let some: BatchWaiter<T, R>[] | undefined
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

  async function runBatches(): Promise<void> {
    busy++
    while (waiting.length > ready * maxItems) {
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
      if (busy < concurrency && waiting.length > ready * maxItems) void runBatches()
    })
}

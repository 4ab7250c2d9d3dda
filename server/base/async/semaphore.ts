/** Runs `work` when there is a permit for it. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** A semaphore of so many permits, which are given in the order of the calls. */
export function semaphore(permits: number): Semaphore {
  const queue: (() => void)[] = []
  let free = permits
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free++
    }
  }
}

/** Runs `work`, or answers as the run of the same key does that is under way. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Single flight: one run at a time for each key in this process; calls that come meanwhile share its outcome. */
export function singleFlight(): SingleFlight {
  const running = new Map<string, Promise<unknown>>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = running.get(key) as Promise<T> | undefined
    if (known) return known
    const started = work().finally(() => running.delete(key))
    running.set(key, started)
    return started
  }
}

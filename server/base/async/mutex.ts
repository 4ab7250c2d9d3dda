/** Runs `work` once all that came before it has ended. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** A mutex: one piece of work at a time, in the order of the calls, whether those before it failed or not. */
export function mutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

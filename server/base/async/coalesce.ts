interface Line {
  /** Under way: it began before whoever asks now, and may tell what was true before. */
  running?: Promise<unknown>
  /** Not begun yet: whoever asks now may join. */
  waiting?: Promise<unknown>
}

/** Runs `work`, or shares a run of the same key that has not begun yet. */
export type Coalesce = <T>(key: string, work: () => Promise<T>) => Promise<T>

/**
 * Coalesces calls with the same key into one run, which begins after the last of them: nobody is told what was
 * true before their call. One run at a time is under way for a key, so the more call, the more share. Where a
 * run that has begun may be shared as well, there is singleFlight.
 */
export function coalesce(): Coalesce {
  const lines = new Map<string, Line>()

  function join<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? {}
    if (line.waiting) return line.waiting as Promise<T>
    lines.set(key, line)
    const asked: Promise<T> = (line.running ? settled(line.running) : turnEnds()).then(() => {
      line.waiting = undefined
      line.running = asked
      return work()
    })
    line.waiting = asked
    settled(asked).then(() => {
      if (line.running === asked) line.running = undefined
      if (!line.waiting && !line.running) lines.delete(key)
    })
    return asked
  }
  return join
}

function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(() => {})
}

/** Requests that have come together are read in one turn. */
function turnEnds(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

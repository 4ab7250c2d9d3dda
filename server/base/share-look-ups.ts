interface Line {
  /** Under way: it began before whoever asks now, and may tell what was true before. */
  running?: Promise<unknown>
  /** Not begun yet: whoever asks now may join. */
  waiting?: Promise<unknown>
}

/**
 * Those who ask for the same key at the same time share one look-up, which begins after the last of them
 * has asked: nobody is told what was true before their request. One at a time is under way for a key, so
 * that the more ask, the more share.
 */
export function shareLookUps(): <T>(key: string, lookUp: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, Line>()

  function join<T>(key: string, lookUp: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? {}
    if (line.waiting) return line.waiting as Promise<T>
    lines.set(key, line)
    const asked: Promise<T> = (line.running ? settled(line.running) : turnEnds()).then(() => {
      line.waiting = undefined
      line.running = asked
      return lookUp()
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

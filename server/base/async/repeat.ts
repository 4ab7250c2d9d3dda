export interface Repeated {
  /** Waits for the run under way; there is none after it. */
  stop(): Promise<void>
}

/** Does something again and again, never twice at once; one that fails is tried again next time. */
export function repeat(
  seconds: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Repeated {
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  let timer: NodeJS.Timeout
  const schedule = () => {
    timer = setTimeout(() => {
      running = work()
        .catch((error) => stopped || onError(error))
        .then(() => {
          if (!stopped) schedule()
        })
    }, seconds * 1000).unref()
  }
  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

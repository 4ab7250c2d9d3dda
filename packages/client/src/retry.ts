import { MarqueeError } from './errors.ts'

const FIRST_WAIT_MS = 250
const LONGEST_BACKOFF_MS = 8000

/** How often something is tried again: always so often, or as often as the failure is worth. */
export type Retries = number | ((error: MarqueeError) => number)

export interface RetryOptions {
  retries: Retries
  /** The longest wait that the service may ask for; where it asks for more, the error is thrown at once. */
  maxWait: number
  /** Whether doing it twice does no harm. */
  isRepeatable: boolean
  signal?: AbortSignal | undefined
  /** Told of a failure after which it is tried again. */
  onRetry?: ((error: MarqueeError) => void) | undefined
}

/**
 * Does it again where it failed and another try is worth it. A 429 was refused before anything was done, so everything
 * may be sent again; after any other failure only what may be done twice.
 */
export async function retrying<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { retries, maxWait, isRepeatable, signal, onRetry } = options
  for (let failed = 0; ; failed++) {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof MarqueeError)) throw error
      if (failed >= (typeof retries === 'number' ? retries : retries(error))) throw error
      const { status, retryAfter = 0 } = error
      if (status !== 429 && !(isRepeatable && (status === 0 || status === 408 || status >= 500))) throw error
      if (retryAfter * 1000 > maxWait) throw error
      onRetry?.(error)
      await sleep(retryAfter * 1000 + backoff(failed), signal)
    }
  }
}

/** Exponential, with full jitter: many clients that failed together do not come back together. */
export function backoff(failed: number): number {
  return Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** failed)
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

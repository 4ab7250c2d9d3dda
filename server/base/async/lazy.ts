/** Lazy initialization: runs `work` at the first call, and answers its result at every call. */
export function lazy<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}

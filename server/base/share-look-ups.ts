import { setImmediate } from 'node:timers/promises'

/**
 * Those who ask for the same key in the same turn of the event loop share one look-up, which begins
 * after the last of them has asked: nobody is told what was true before their request.
 */
export function shareLookUps(): <T>(key: string, lookUp: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<unknown>>()
  return <T>(key: string, lookUp: () => Promise<T>) => {
    const joined = waiting.get(key)
    if (joined) return joined as Promise<T>
    const started = setImmediate().then(() => {
      waiting.delete(key)
      return lookUp()
    })
    waiting.set(key, started)
    return started
  }
}

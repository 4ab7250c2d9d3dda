import { ServerAway } from './errors.ts'

/** The addresses of a shard's replicas, in the order in which they are asked: who does not answer goes to the end. */
export type Replicas = string[]

/** Asks one after the other until one is not away. What is asked has to be fit for being asked twice. */
export async function askOneOf<T>(replicas: Replicas, ask: (url: string) => Promise<T>): Promise<T> {
  const order = [...replicas]
  for (const [i, url] of order.entries())
    try {
      return await ask(url)
    } catch (error) {
      if (!(error instanceof ServerAway)) throw error
      // Unless somebody else has found that out meanwhile.
      if (replicas[0] === url) replicas.push(replicas.shift()!)
      if (error.isSlow || i === order.length - 1) throw error
    }
  throw new Error('a shard has no address')
}

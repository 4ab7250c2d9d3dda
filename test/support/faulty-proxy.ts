import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { goBetween } from './go-between.ts'

/**
 * How an engine behind it fails: nobody is there; it takes its time; an answer is cut off in its middle; an answer is
 * none that anybody understands.
 */
export const WAYS = ['away', 'slow', 'cut', 'garbage'] as const
export type Way = (typeof WAYS)[number]

const SLOW_MS = 300

/** Beginning as nothing does that an engine says. */
function garbage(length: number): Buffer {
  const bytes = randomBytes(length)
  bytes[0] = 0xff
  return bytes
}

/** Stands before an engine, whatever it speaks, and has it fail as told. */
export async function faultyProxy(target: { host: string; port: number }) {
  let way: Way | undefined
  let failures = 0
  const meet = (client: Socket, engine: Socket) => {
    // In order, however long each takes.
    let [sending, answering] = [Promise.resolve(), Promise.resolve()]
    const pause = () => (way === 'slow' ? new Promise<void>((done) => setTimeout(done, SLOW_MS)) : undefined)
    client.on('data', (chunk) => {
      if (way === 'slow') failures++
      sending = sending.then(pause).then(() => void engine.write(chunk))
    })
    engine.on('data', (chunk) => {
      answering = answering.then(pause).then(() => {
        if (way === 'cut' || way === 'garbage') failures++
        if (way === 'cut') {
          client.write(chunk.subarray(0, chunk.length / 2), () => client.resetAndDestroy())
          engine.destroy()
        } else client.write(way === 'garbage' ? garbage(chunk.length) : chunk)
      })
    })
  }
  const isAway = () => {
    if (way !== 'away') return false
    failures++
    return true
  }
  const { port, open } = await goBetween({ target, isAway, meet })
  return {
    port,
    /** From now on, until it is told otherwise; without a way all goes well. */
    fail(next: Way | undefined) {
      way = next
      failures = 0
      if (way === 'away') for (const socket of open) socket.resetAndDestroy()
    },
    /** How often it did, since it was told to: whom it turned away, what it held up, cut off or garbled. */
    failures: () => failures,
  }
}

/** The same address, by way of the proxy. */
export function through(address: string, { port }: { port: number }): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href.replace(/\/$/, '')
}

import net, { type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface GoBetween {
  target: { host: string; port: number }
  /** Where it listens. */
  host?: string
  /** Whether a client finds nobody. */
  isAway?(): boolean
  /** Passes on what the two say, or does not. */
  meet(client: Socket, service: Socket): void
}

/** As `standBetween`, until the test ends. */
export async function goBetween(options: GoBetween) {
  const between = await standBetween(options)
  onTestFinished(between.close)
  return between
}

/** A server, on loopback unless told otherwise, that stands before another; where one side goes, the other goes as well. */
export async function standBetween({ target, host = '127.0.0.1', isAway, meet }: GoBetween) {
  const open = new Set<Socket>()
  const server = net.createServer((client) => {
    if (isAway?.()) return client.resetAndDestroy()
    const service = net.connect(target)
    meet(client, service)
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    open,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

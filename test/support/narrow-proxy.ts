import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Passes everything on to a service, whose port may change, and lets only so many bytes of its clients pass until more are
 * allowed: what happens in between happens in the middle of a request.
 */
export async function narrowProxy(target: () => number) {
  const open = new Set<Socket>()
  let left = 0
  let held: (() => void)[] = []
  let onHeld = () => {}
  const server = createServer((client) => {
    const service = connect(target(), '127.0.0.1')
    for (const socket of [client, service]) open.add(socket.on('error', () => {}))
    service.pipe(client)
    client.on('close', () => service.destroy())
    service.on('close', () => client.destroy())
    client.on('data', function pass(chunk: Buffer) {
      // Requests without a body always pass: only what carries bytes is counted.
      if (left <= 0 && chunk.length > 4096) {
        client.pause()
        held.push(() => {
          pass(chunk)
          client.resume()
        })
        onHeld()
        return
      }
      if (chunk.length > 4096) left -= chunk.length
      if (!service.write(chunk)) {
        client.pause()
        service.once('drain', () => client.resume())
      }
    })
    client.on('end', () => service.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    held = []
    for (const socket of open) socket.destroy()
    open.clear()
  }
  const close = () => {
    cut()
    server.close()
  }
  onTestFinished(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when so many more bytes have passed and others wait. */
    async pass(bytes: number): Promise<void> {
      left = bytes
      const isHeld = new Promise<void>((resolve) => {
        onHeld = resolve
      })
      for (const go of held.splice(0)) go()
      await isHeld
    },
    /** So many more bytes may pass, from now on. */
    allow(bytes: number): void {
      left = Math.max(left, 0) + bytes
      for (const go of held.splice(0)) go()
    },
    /** Nobody is held any more. */
    widen(): void {
      left = Number.POSITIVE_INFINITY
      for (const go of held.splice(0)) go()
    },
    /** All connections end at once, as when a train enters a tunnel. */
    cut,
    close,
  }
}

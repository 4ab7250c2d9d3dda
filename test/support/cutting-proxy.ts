import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What is to be cut once, and when. */
interface Cut {
  /** Cut after so many bytes of what a client sends. */
  afterSent?: number
  /** Cut as soon as this came from the service, which still gets through. */
  afterText?: string
}

/** Passes everything on to a service, and cuts connections as told, each cut once. */
export async function cuttingProxy(target: string, ...cuts: Cut[]) {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const done: Cut[] = []
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    let sent = 0
    let text = ''
    const cutIf = (isDue: (cut: Cut) => boolean) => {
      const cut = cuts.find((one) => !done.includes(one) && isDue(one))
      if (!cut) return
      done.push(cut)
      // What was passed on before it arrives first.
      setTimeout(() => {
        client.resetAndDestroy()
        service.destroy()
      }, 20)
    }
    client.on('data', (chunk) => {
      sent += chunk.length
      service.write(chunk)
      cutIf(({ afterSent }) => afterSent !== undefined && sent > afterSent)
    })
    service.on('data', (chunk) => {
      text += chunk.toString('latin1')
      client.write(chunk)
      cutIf(({ afterText }) => afterText !== undefined && text.includes(afterText))
    })
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, cuts: done }
}

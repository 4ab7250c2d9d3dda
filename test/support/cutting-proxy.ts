import type { Socket } from 'node:net'
import { goBetween } from './go-between.ts'

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
  const done: Cut[] = []
  const meet = (client: Socket, service: Socket) => {
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
  }
  const between = await goBetween({ target: { host: hostname, port: Number(port) }, meet })
  return { url: `http://127.0.0.1:${between.port}`, cuts: done }
}

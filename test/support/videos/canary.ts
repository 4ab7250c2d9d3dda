import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Something that nobody has any business with. */
export interface Canary {
  /** How it is called in a file that wants it opened. */
  name: string
  /** How often somebody opened it, or tried to. */
  touched(): number
}

/** A file in this folder that notices each time it is opened. */
export function fileCanary(folder: string): Canary {
  const file = path.join(folder, 'secret.mp4')
  execFileSync('mkfifo', [file])
  let count = 0
  let ended = false
  async function watch(): Promise<void> {
    while (!ended) {
      // Waits until there is a reader.
      const writer = await open(file, constants.O_WRONLY)
      if (!ended) count++
      await writer.close()
    }
  }
  const watching = watch()
  onTestFinished(async () => {
    ended = true
    const reader = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    await watching
    await reader.close()
  })
  return { name: file, touched: () => count }
}

/** An address on this machine that notices each time somebody connects. */
export async function addressCanary(): Promise<Canary> {
  let count = 0
  const server = net.createServer((socket) => {
    count++
    socket.on('error', () => {}).end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { name: `http://127.0.0.1:${port}/secret.mp4`, touched: () => count }
}

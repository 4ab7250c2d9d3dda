import http from 'node:http'
import type { AddressInfo } from 'node:net'

interface Picture {
  type: string
  bytes: Buffer
}

/**
 * Stands for a CDN that has every picture already, for a library that people have looked through before: what a page does
 * is measured, and not how fast a hundred thousand pictures are made small beside it. Each address always has the same one
 * of the pictures it was given.
 */
export async function startCdn() {
  const pictures: Picture[] = []
  const server = http.createServer((request, response) => {
    const numbers = request.url!.replaceAll(/\D/g, '')
    const picture = pictures[Number(numbers.slice(-6)) % pictures.length]!
    response.writeHead(200, {
      'content-type': picture.type,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    response.end(picture.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cdn`,
    /** One more picture, as the service answers a browser that asks for it. */
    async take(address: string): Promise<void> {
      const answer = await fetch(address, { headers: { accept: 'image/avif,image/webp,*/*' } })
      if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
      pictures.push({
        type: answer.headers.get('content-type')!,
        bytes: Buffer.from(await answer.arrayBuffer()),
      })
    },
    stop: () => server.close(),
  }
}

import net from 'node:net'

export interface Posted {
  headers: Record<string, string>
  body: string
}

/**
 * Posts one after the other on each of some connections, for so long, and answers how many were answered
 * with 200 a second. What is sent is written out before the clock starts, and next to nothing is done with
 * an answer: a load generator on the same cores must not be what is measured.
 */
export async function postAll(
  url: string,
  { connections, seconds, make }: { connections: number; seconds: number; make(count: number): Posted[] },
): Promise<{ rate: number; taken: number }> {
  const { hostname, port, pathname } = new URL(url)
  const requests = make(connections * MOST_FOR_EACH * seconds).map(({ headers, body }) => {
    const lines = Object.entries({ host: hostname, 'content-length': Buffer.byteLength(body), ...headers })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`)
  })
  const start = performance.now()
  let next = 0
  let taken = 0

  async function one(): Promise<void> {
    const socket = net.connect(Number(port), hostname)
    socket.setNoDelay(true)
    await new Promise<void>((resolve, reject) => {
      const send = () => {
        if (performance.now() - start >= seconds * 1000) return resolve()
        if (next === requests.length) return reject(new Error('it is faster than there are requests'))
        socket.write(requests[next++]!)
      }
      let answer = ''
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
        if (!isWhole(answer)) return
        if (!answer.startsWith('HTTP/1.1 200')) return reject(new Error(answer))
        taken++
        answer = ''
        send()
      })
      socket.once('error', reject)
      socket.once('connect', send)
    })
    socket.destroy()
  }

  await Promise.all(Array.from({ length: connections }, one))
  return { rate: taken / ((performance.now() - start) / 1000), taken }
}

/** Requests a second on one connection that nobody reaches. */
const MOST_FOR_EACH = 60

function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /content-length: (\d+)/i.exec(answer)
  return answer.length >= head + 4 + Number(length?.[1] ?? Number.POSITIVE_INFINITY)
}

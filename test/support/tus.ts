import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { local } from './media.ts'

const TUS = { 'tus-resumable': '1.0.0' }
const CHUNK = { ...TUS, 'content-type': 'application/offset+octet-stream' }

/** Requests of tus to an upload address, one by one, as a client would send them. */
export function tusAt(presigned: string) {
  const url = local(presigned)
  const ask = (method: string, headers: Record<string, string> = {}, body?: Buffer) =>
    fetch(url, { method, headers: { ...TUS, ...headers }, ...(body && { body: new Uint8Array(body) }) })
  return {
    url,
    ask,
    create: (length: number) => ask('POST', { 'upload-length': String(length) }),
    send: (offset: number, body: Buffer, more: Record<string, string> = {}) =>
      ask('PATCH', { ...CHUNK, 'upload-offset': String(offset), ...more }, body),
    /** As clients do it: a service that is not available just now is asked again. */
    async offset(): Promise<number> {
      const answer = await whenAvailable(() => ask('HEAD'))
      const offset = answer.headers.get('upload-offset')
      if (offset === null) throw new Error(`HEAD answered ${answer.status}`)
      return Number(offset)
    },
    /** Begins a PATCH whose body is written to its connection by hand. */
    open(offset: number, length: number): Socket {
      const { hostname, port, pathname, search, host } = new URL(url)
      const socket = connect(Number(port), hostname)
      const headers = { host, ...CHUNK, 'upload-offset': offset, 'content-length': length }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.on('error', () => {})
      socket.write(`PATCH ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
      return socket
    },
  }
}

/** What a service answers that may be busy with other things, such as to start its database again. */
export async function whenAvailable<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await sleep(200)
  }
}

export const sha1 = (body: Buffer) => createHash('sha1').update(body).digest('base64')

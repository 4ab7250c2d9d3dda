import type { Readable } from 'node:stream'

/**
 * What the service and its media children say to each other: the lengths of a header and of what
 * follows it, the header as JSON, then the bytes of a file.
 */
const PREFIX_BYTES = 8
const MAX_HEADER_BYTES = 64 * 1024

export function frameHead(header: object, payloadBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(json.length, 0)
  prefix.writeUInt32BE(payloadBytes, 4)
  return Buffer.concat([prefix, json])
}

export class FrameReader {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** The next header, and how many bytes of payload are to be read after it; undefined at the end. */
  async next(): Promise<{ header: unknown; payloadBytes: number } | undefined> {
    if (this.#rest.length === 0 && !(await this.#more())) return undefined
    const prefix = await this.#take(PREFIX_BYTES)
    const headerBytes = prefix.readUInt32BE(0)
    if (headerBytes > MAX_HEADER_BYTES) throw new Error('the header of a frame is too long')
    const header: unknown = JSON.parse((await this.#take(headerBytes)).toString())
    return { header, payloadBytes: prefix.readUInt32BE(4) }
  }

  async *payload(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0 && !(await this.#more())) throw new Error('a frame is cut off')
      const chunk = this.#rest.subarray(0, left)
      this.#rest = this.#rest.subarray(chunk.length)
      left -= chunk.length
      yield chunk
    }
  }

  async #take(bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.payload(bytes)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (!done) this.#rest = value
    return !done
  }
}

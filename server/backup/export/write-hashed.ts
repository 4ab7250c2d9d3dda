import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export interface WrittenFile {
  size: number
  sha256: string
}

/** Writes a file, and tells what is in it. */
export async function writeHashed(file: string, content: AsyncIterable<Buffer>): Promise<WrittenFile> {
  const { passing, end } = hashing()
  await pipeline(content, passing, createWriteStream(file, { flush: true }))
  return end()
}

/** The same of one that is there. */
export async function hashFile(file: string): Promise<WrittenFile> {
  const { passing, end } = hashing()
  for await (const _ of passing(createReadStream(file)));
  return end()
}

function hashing() {
  const hash = createHash('sha256')
  let size = 0
  return {
    async *passing(content: AsyncIterable<Buffer>) {
      for await (const part of content) {
        hash.update(part)
        size += part.length
        yield part
      }
    },
    end: (): WrittenFile => ({ size, sha256: hash.digest('hex') }),
  }
}

import type { EditedFile } from './edited-file.ts'

const ID3_HEADER = 10
const MAX_TAGS = 8
const ID3V1_BYTES = 128
const APE_FOOTER = 32
const LYRICS_END = 15

/** Makes each ID3 tag that a file begins with one of nothing but padding, and answers where they end. */
export async function blankId3(file: EditedFile): Promise<number> {
  let at = 0
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const length = id3Length(await file.read(at, ID3_HEADER))
    if (length === 0) break
    // Without a footer or anything else that its flags announce: what would be there is padding, too.
    await file.write(at + 5, Buffer.from([0, ...inSevens(length - ID3_HEADER)]))
    await file.clear(at + ID3_HEADER, at + length)
    at += length
  }
  return at
}

/** The length of an ID3 tag, which tells it in seven bits of each byte; 0 where there is none. */
export function id3Length(head: Buffer): number {
  if (head.length < ID3_HEADER || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  const footer = head[5]! & 0x10 ? ID3_HEADER : 0
  return ID3_HEADER + size + footer
}

const inSevens = (size: number) => [21, 14, 7, 0].map((bits) => (size >>> bits) & 127)

/** Cuts off tags at the end: ID3v1, Lyrics3 and APE, in whatever order. */
export async function cutTrailing(file: EditedFile): Promise<void> {
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const length = trailingLength(await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES))
    if (length === 0 || length >= file.size) return
    await file.cut(file.size - length)
  }
}

/** The length of the tag that ends with these bytes; 0 where none does. */
function trailingLength(tail: Buffer): number {
  if (tail.length < ID3V1_BYTES) return 0
  const text = (from: number, length: number) => tail.toString('latin1', from, from + length)
  if (text(0, 3) === 'TAG') return ID3V1_BYTES
  const ape = tail.length - APE_FOOTER
  if (text(ape, 8) === 'APETAGEX') {
    const hasHeader = (tail.readUInt32LE(ape + 20) & 0x80000000) !== 0
    return tail.readUInt32LE(ape + 12) + (hasHeader ? APE_FOOTER : 0)
  }
  const lyrics = tail.length - LYRICS_END
  if (text(lyrics + 6, 9) === 'LYRICS200') return (Number(text(lyrics, 6)) || 0) + LYRICS_END
  return 0
}

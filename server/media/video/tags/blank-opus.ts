import type { EditedFile } from './edited-file.ts'

const HEADER = 27
const MAX_SEGMENTS = 255
const TAGS = 'OpusTags'
const BEGINS_STREAM = 2

/** Clears the comments of every Opus stream of an Ogg file; its packet keeps its length, as padding that the format allows. */
export async function blankOpus(file: EditedFile, begin: number): Promise<void> {
  // Streams of which the comments come next, and those in the middle of them.
  const awaited = new Set<number>()
  const inside = new Set<number>()
  for (let at = begin; ; ) {
    const head = await file.read(at, HEADER + MAX_SEGMENTS)
    if (head.length < HEADER || head.toString('latin1', 0, 4) !== 'OggS') return
    const segments = head.subarray(HEADER, HEADER + head[26]!)
    const body = HEADER + segments.length
    const size = segments.reduce((sum, length) => sum + length, 0)
    const serial = head.readUInt32LE(14)
    if (head[5]! & BEGINS_STREAM) awaited.add(serial)
    else if (awaited.has(serial) || inside.has(serial)) {
      const page = await file.read(at, body + size)
      const isFirst = awaited.delete(serial)
      const isTags = !isFirst || page.toString('latin1', body, body + TAGS.length) === TAGS
      if (isTags) {
        // The packet ends with the first segment that is not full.
        const last = segments.findIndex((length) => length < MAX_SEGMENTS)
        const used = segments.subarray(0, last === -1 ? undefined : last + 1)
        const length = used.reduce((sum, one) => sum + one, 0)
        page.fill(0, body + (isFirst ? TAGS.length : 0), body + length)
        page.writeUInt32LE(0, CHECKSUM)
        page.writeUInt32LE(checksum(page), CHECKSUM)
        await file.write(at, page)
        if (last === -1) inside.add(serial)
        else inside.delete(serial)
      }
    }
    at += body + size
  }
}

const CHECKSUM = 22

/** CRC-32 as Ogg has it: from the highest bit on, beginning with zero, and not turned around at the end. */
function checksum(page: Buffer): number {
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  }
  return sum >>> 0
}

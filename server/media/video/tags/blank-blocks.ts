import type { EditedFile } from './edited-file.ts'

const PADDING = 1
/** What the sound is, and where in it is what. */
const FLAC_KEPT = new Set([0, 3])
const LAST = 0x80

/** Makes what is not about the sound of a FLAC padding. */
export async function blankFlac(file: EditedFile, begin: number): Promise<void> {
  for (let at = begin + 4; ; ) {
    const head = await file.read(at, 4)
    if (head.length < 4) return
    const kind = head[0]! & ~LAST
    const end = at + 4 + head.readUIntBE(1, 3)
    if (!FLAC_KEPT.has(kind)) {
      await file.write(at, Buffer.from([(head[0]! & LAST) | PADDING]))
      await file.clear(at + 4, end)
    }
    if (head[0]! & LAST) return
    at = end
  }
}

const WAV_KEPT = new Set(['fmt ', 'fact', 'data', 'ds64'])
const UNKNOWN = 2 ** 32 - 1

/** Makes what is not about the sound of a WAV a chunk that everybody passes over. */
export async function blankWav(file: EditedFile, begin: number): Promise<void> {
  let farData = 0
  for (let at = begin + 12; at < file.size; ) {
    const head = await file.read(at, 24)
    // Too short for a chunk, so it is none.
    if (head.length < 8) return file.clear(at, file.size)
    const kind = head.toString('latin1', 0, 4)
    const told = head.readUInt32LE(4)
    if (kind === 'ds64' && head.length === 24) farData = Number(head.readBigUInt64LE(16))
    const size = kind === 'data' && told === UNKNOWN ? farData : told
    // As of a stream, whose length nobody knew: it goes on to the end.
    if (kind === 'data' && size === 0) return
    const end = at + 8 + size + (size % 2)
    if (!WAV_KEPT.has(kind)) {
      await file.write(at, Buffer.from('JUNK'))
      await file.clear(at + 8, end)
    }
    at = end
  }
}

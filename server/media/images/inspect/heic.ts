import { MAX_CODED_PIXELS, MAX_TILES, refuseMoreThan, refuseTooLarge, type Sides } from './limits.ts'

const MAX_BOXES = 20_000
/** A version and flags. */
const FULL = 4
const NOWHERE: Sides = { width: 0, height: 0 }

interface HeicBox {
  type: string
  content: Buffer
}

interface Items {
  primary: number
  /** What a picture is put together from, by its id; one may be named many times. */
  parts: Map<number, number[]>
  /** Its transparency and the like. */
  auxiliaries: Map<number, number[]>
  sides: Map<number, Sides>
}

/**
 * Adds up what has to be decoded for the main picture of a HEIC: a grid may name tiles by the thousand, the
 * same large one again and again, and be no larger itself than a photo (ISO/IEC 23008-12, 6.6.2).
 */
export function inspectHeic(bytes: Buffer): void {
  const items = readItems(bytes)
  if (!items) return
  refuseTooLarge(items.sides.get(items.primary) ?? NOWHERE)
  let tiles = 0
  let pixels = 0
  for (const next = [items.primary]; next.length > 0; ) {
    const id = next.pop()!
    refuseMoreThan(MAX_TILES, ++tiles, 'tiles')
    const parts = items.parts.get(id)
    const { width, height } = items.sides.get(id) ?? NOWHERE
    if (!parts) pixels += width * height
    refuseMoreThan(MAX_CODED_PIXELS / 1e6, pixels / 1e6, 'megapixels in its tiles')
    // More than are allowed are as good as all of them.
    next.push(
      ...(parts ?? []).slice(0, MAX_TILES + 1),
      ...(items.auxiliaries.get(id) ?? []).slice(0, MAX_TILES),
    )
  }
}

/** Undefined where the file is not as expected: what it is then, the library says. */
function readItems(bytes: Buffer): Items | undefined {
  const meta = find(bytes, 'meta')?.subarray(FULL)
  const primary = meta && find(meta, 'pitm')
  if (!meta || !primary) return undefined
  const references = find(meta, 'iref')
  return {
    primary: primary[0] === 0 ? primary.readUInt16BE(FULL) : primary.readUInt32BE(FULL),
    parts: references ? readReferences(references, 'dimg') : new Map(),
    auxiliaries: references ? reversed(readReferences(references, 'auxl')) : new Map(),
    sides: readSides(meta),
  }
}

/** ISO/IEC 14496-12, 8.11.12: from one item to many. */
function readReferences(iref: Buffer, wanted: string): Map<number, number[]> {
  const wide = iref[0] !== 0
  const idBytes = wide ? 4 : 2
  const found = new Map<number, number[]>()
  for (const { type, content } of boxes(iref.subarray(FULL))) {
    if (type !== wanted) continue
    const from = content.readUIntBE(0, idBytes)
    const count = content.readUInt16BE(idBytes)
    const to = Array.from({ length: count }, (_, i) => content.readUIntBE(idBytes + 2 + i * idBytes, idBytes))
    found.set(from, [...(found.get(from) ?? []), ...to])
  }
  return found
}

function reversed(references: Map<number, number[]>): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (const [from, to] of references) for (const id of to) found.set(id, [...(found.get(id) ?? []), from])
  return found
}

/** What each item says its size is. */
function readSides(meta: Buffer): Map<number, Sides> {
  const found = new Map<number, Sides>()
  for (const { id, content } of propertiesOf(meta, 'ispe'))
    found.set(id, { width: content.readUInt32BE(FULL), height: content.readUInt32BE(FULL + 4) })
  return found
}

/** How the colours of the main picture are coded, by their numbers in ITU-T H.273; undefined where it does not say. */
export function colourCodesOf(bytes: Buffer): { primaries: number; transfer: number } | undefined {
  const meta = find(bytes, 'meta')?.subarray(FULL)
  const primary = readItems(bytes)?.primary
  if (!meta || primary === undefined) return undefined
  for (const { id, content } of propertiesOf(meta, 'colr'))
    if (id === primary && content.toString('latin1', 0, 4) === 'nclx')
      return { primaries: content.readUInt16BE(4), transfer: content.readUInt16BE(6) }
  return undefined
}

/** The properties of one kind that items are given (ipma, ISO/IEC 23008-12, 9.3). */
function* propertiesOf(meta: Buffer, type: string): Generator<{ id: number; content: Buffer }> {
  const iprp = find(meta, 'iprp')
  const properties = [...boxes((iprp && find(iprp, 'ipco')) ?? Buffer.alloc(0))]
  for (const { type: name, content } of boxes(iprp ?? Buffer.alloc(0))) {
    if (name !== 'ipma') continue
    const idBytes = content[0] === 0 ? 2 : 4
    const indexBytes = content[3]! & 1 ? 2 : 1
    let at = FULL + 4
    for (let left = content.readUInt32BE(FULL); left > 0; left--) {
      const id = content.readUIntBE(at, idBytes)
      at += idBytes
      for (let more = content[at++]!; more > 0; more--, at += indexBytes) {
        const index = content.readUIntBE(at, indexBytes) & (indexBytes === 2 ? 0x7fff : 0x7f)
        const property = properties[index - 1]
        if (property?.type === type) yield { id, content: property.content }
      }
    }
  }
}

export function find(bytes: Buffer, wanted: string): Buffer | undefined {
  for (const { type, content } of boxes(bytes)) if (type === wanted) return content
  return undefined
}

/** ISO/IEC 14496-12, 4.2: a size that counts itself, a type, the content. */
export function* boxes(bytes: Buffer): Generator<HeicBox> {
  for (let at = 0, count = 0; at + 8 <= bytes.length; count++) {
    if (count === MAX_BOXES) throw new Error('there are too many boxes')
    const type = bytes.toString('latin1', at + 4, at + 8)
    let head = 8
    let size = bytes.readUInt32BE(at)
    if (size === 1) {
      size = Number(bytes.readBigUInt64BE(at + 8))
      head = 16
    }
    if (size === 0) size = bytes.length - at
    if (size < head) throw new Error('a box is shorter than its head')
    yield { type, content: bytes.subarray(at + head, at + size) }
    at += size
  }
}

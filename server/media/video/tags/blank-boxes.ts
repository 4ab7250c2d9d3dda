import { UnsupportedVideo } from '../errors.ts'
import type { EditedFile } from './edited-file.ts'

/** What boxes of an MP4 may be in, on the way to what is blanked. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'moof', 'traf', 'udta', 'ilst'])
const SAYING = new Set(['uuid', 'free', 'skip', 'ID32', 'XMP_', 'tref'])
/** Of what iTunes writes, how much of the sound is filling: without it, decoders play that. */
const GAPLESS = 'iTunSMPB'
const MAX_GAPLESS = 1000
const MAX_TABLE = 2 ** 20
/** Deeper than any file that plays. */
const MAX_DEPTH = 16

interface BoxPlace {
  type: string
  at: number
  /** Where its content begins. */
  body: number
  end: number
}

/** Makes what an M4A says of itself free space: tags, covers, chapters, times, names, and tracks that are no sound. */
export async function blankBoxes(file: EditedFile): Promise<void> {
  await blankInside(file, { type: 'file', at: 0, body: 0, end: file.size })
}

async function blankInside(file: EditedFile, parent: BoxPlace, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH) throw new UnsupportedVideo('its boxes are nested too deep')
  for await (const box of boxesIn(file, parent)) {
    if (box.type === 'trak' && !(await isSound(file, box))) {
      await blankSamples(file, box)
      await blank(file, box)
    } else if (box.type === 'meta') await blankMeta(file, box, depth)
    else if (CONTAINERS.has(box.type)) await blankInside(file, box, depth + 1)
    else if (['mvhd', 'tkhd', 'mdhd'].includes(box.type)) await blankTimes(file, box)
    else if (box.type === 'hdlr' && parent.type === 'mdia') await file.clear(box.body + 24, box.end)
    else if (SAYING.has(box.type)) await blank(file, box)
    else if (['udta', 'ilst'].includes(parent.type) && !(await isGapless(file, box))) await blank(file, box)
  }
}

/** Those of iTunes have a version before their boxes, those of QuickTime none. */
async function blankMeta(file: EditedFile, box: BoxPlace, depth: number): Promise<void> {
  const head = await file.read(box.body, 8)
  const isPlain = head.toString('latin1', 4, 8) === 'hdlr'
  for await (const one of boxesIn(file, { ...box, body: box.body + (isPlain ? 0 : 4) })) {
    if (one.type === 'ilst') await blankInside(file, one, depth + 1)
    else if (one.type !== 'hdlr') await blank(file, one)
  }
}

async function* boxesIn(file: EditedFile, { body, end }: BoxPlace): AsyncGenerator<BoxPlace> {
  for (let at = body; at + 8 <= end; ) {
    const head = await file.read(at, 16)
    if (head.length < 8) return
    const told = head.readUInt32BE(0)
    const isFar = told === 1 && head.length === 16
    const size = isFar ? Number(head.readBigUInt64BE(8)) : told === 0 ? end - at : told
    if (size < 8 || at + size > end) return
    yield { type: head.toString('latin1', 4, 8), at, body: at + (isFar ? 16 : 8), end: at + size }
    at += size
  }
}

async function blank(file: EditedFile, { at, body, end }: BoxPlace): Promise<void> {
  await file.write(at + 4, Buffer.from('free'))
  await file.clear(body, end)
}

/** When it was made and changed. */
async function blankTimes(file: EditedFile, { body, end }: BoxPlace): Promise<void> {
  const [version] = await file.read(body, 1)
  await file.clear(body + 4, Math.min(end, body + 4 + (version === 1 ? 16 : 8)))
}

async function isGapless(file: EditedFile, { body, end }: BoxPlace): Promise<boolean> {
  return end - body < MAX_GAPLESS && (await file.read(body, end - body)).includes(GAPLESS)
}

async function inPath(file: EditedFile, box: BoxPlace, ...path: string[]): Promise<BoxPlace | undefined> {
  let found: BoxPlace | undefined = box
  for (const type of path) {
    const parent: BoxPlace | undefined = found
    found = undefined
    if (parent) for await (const one of boxesIn(file, parent)) if (one.type === type) found ??= one
  }
  return found
}

async function isSound(file: EditedFile, trak: BoxPlace): Promise<boolean> {
  const handler = await inPath(file, trak, 'mdia', 'hdlr')
  return handler !== undefined && (await file.read(handler.body + 8, 4)).toString('latin1') === 'soun'
}

/** Titles of chapters and pictures are samples, which lie between those of the sound. */
async function blankSamples(file: EditedFile, trak: BoxPlace): Promise<void> {
  const tables = await inPath(file, trak, 'mdia', 'minf', 'stbl')
  if (!tables) return
  const table = async (type: string) => {
    const box = await inPath(file, tables, type)
    if (box && box.end - box.body > MAX_TABLE) throw new UnsupportedVideo('it has too much beside its sound')
    return box && (await file.read(box.body, box.end - box.body))
  }
  const [sizes, chunks, near, far] = [
    await table('stsz'),
    await table('stsc'),
    await table('stco'),
    await table('co64'),
  ]
  const places = near ? numbers(near, 8) : far ? numbers(far, 8, 8) : []
  if (!sizes || sizes.length < 12 || !chunks) return
  const same = sizes.readUInt32BE(4)
  const each = same > 0 ? undefined : numbers(sizes, 12)
  const runs = numbers(chunks, 8)
  const perChunkFrom = new Map(runs.flatMap((first, i) => (i % 3 === 0 ? [[first, runs[i + 1] ?? 0]] : [])))
  let sample = 0
  let perChunk = 0
  for (const [i, at] of places.entries()) {
    perChunk = perChunkFrom.get(i + 1) ?? perChunk
    const samples = each?.slice(sample, sample + perChunk)
    const bytes = samples ? samples.reduce((sum, size) => sum + size, 0) : same * perChunk
    await file.clear(at, at + bytes)
    sample += perChunk
  }
}

function numbers(table: Buffer, from: number, width: 4 | 8 = 4): number[] {
  const count = Math.max(0, Math.floor((table.length - from) / width))
  return Array.from({ length: count }, (_, i) => {
    const at = from + i * width
    return width === 8 ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at)
  })
}

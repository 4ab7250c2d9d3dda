import { boxesOf, findBox } from '../videos/boxes.ts'

/** What an initialization segment says of its only track. */
export interface Init {
  isVideo: boolean
  timescale: number
  /** What the edit list takes off every time, in units of the track. */
  shift: number
  /** As the attribute CODECS names it. */
  codec: string
  /** Neither turned nor mirrored by the track's matrix. */
  isUpright: boolean
  defaults: { duration: number; size: number; flags: number }
}

export function readInit(content: Buffer): Init {
  const [first, ...others] = boxesOf(content)
  const moov = others.find((box) => box.type === 'moov')?.body
  if (first?.type !== 'ftyp' || !moov) throw new Error('the initialization segment is not ftyp and moov')
  const inside = boxesOf(moov)
  const tracks = inside.filter((box) => box.type === 'trak').map((box) => box.body)
  const track = tracks[0]
  if (tracks.length !== 1 || !track) throw new Error(`the initialization segment has ${tracks.length} tracks`)
  const trex = must(moov, 'mvex/trex')
  const movieHeader = must(moov, 'mvhd')
  const mediaHeader = must(track, 'mdia/mdhd')
  const movieTimescale = movieHeader.readUInt32BE(movieHeader[0] === 1 ? 20 : 12)
  const timescale = mediaHeader.readUInt32BE(mediaHeader[0] === 1 ? 20 : 12)
  const isVideo = must(track, 'mdia/hdlr').toString('latin1', 8, 12) === 'vide'
  const edits = findBox(track, 'edts/elst')
  const trackHeader = must(track, 'tkhd')
  return {
    isVideo,
    timescale,
    shift: edits ? shiftOf(edits, timescale / movieTimescale) : 0,
    codec: codecOf(must(track, 'mdia/minf/stbl/stsd').subarray(8)),
    isUpright: trackHeader.subarray(-44, -8).toString('hex') === UPRIGHT,
    defaults: {
      duration: trex.readUInt32BE(12),
      size: trex.readUInt32BE(16),
      flags: trex.readUInt32BE(20),
    },
  }
}

const [ONE, ZERO, UNIT] = ['00010000', '00000000', '40000000']
const UPRIGHT = [ONE, ZERO, ZERO, ZERO, ONE, ZERO, ZERO, ZERO, UNIT].join('')

function must(content: Buffer, path: string): Buffer {
  const body = findBox(content, path)
  if (!body) throw new Error(`there is no ${path}`)
  return body
}

function shiftOf(edits: Buffer, scale: number): number {
  const isLong = edits[0] === 1
  let wait = 0
  for (let i = 0, at = 8; i < edits.readUInt32BE(4); i++, at += isLong ? 20 : 12) {
    const length = isLong ? Number(edits.readBigUInt64BE(at)) : edits.readUInt32BE(at)
    const mediaTime = isLong ? Number(edits.readBigInt64BE(at + 8)) : edits.readInt32BE(at + 4)
    if (mediaTime >= 0) return mediaTime - wait
    wait += length * scale
  }
  return -wait
}

function codecOf(entries: Buffer): string {
  const [entry] = boxesOf(entries)
  if (entry?.type === 'avc1') return `avc1.${must(entry.body.subarray(78), 'avcC').toString('hex', 1, 4)}`
  if (entry?.type === 'mp4a') return `mp4a.${audioObject(must(entry.body.subarray(28), 'esds'))}`
  return entry?.type ?? 'nothing'
}

/** The object type of an elementary stream, and the kind of AAC that its configuration begins with. */
function audioObject(esds: Buffer): string {
  let at = 4
  const enter = (tag: number, skip: number) => {
    if (esds[at++] !== tag) throw new Error(`esds: no descriptor ${tag}`)
    while (esds[at++]! & 0x80);
    at += skip
  }
  enter(3, 3)
  enter(4, 0)
  const objectType = esds[at]!.toString(16)
  at += 13
  enter(5, 0)
  return `${objectType}.${esds[at]! >> 3}`
}

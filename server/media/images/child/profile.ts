const SRGB_AREA = triangleArea([
  [0.6485, 0.3309],
  [0.3212, 0.5979],
  [0.1559, 0.066],
])
// Profiles that mean sRGB differ from it in the third digit; Display P3 has 1.36 times its area.
const NOTICEABLY_WIDER = 1.1
const MAX_KEPT_BYTES = 16 * 1024

/** Whether an RGB profile shows colours that sRGB has not, and is plain enough to be passed on. */
export function isWideGamut(profile: Buffer | undefined): boolean {
  if (!profile || profile.length > MAX_KEPT_BYTES || !isRgbProfile(profile)) return false
  try {
    const corners = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => chromaticity(profile, tag))
    return triangleArea(corners) > SRGB_AREA * NOTICEABLY_WIDER
  } catch {
    return false
  }
}

export function isRgbProfile(profile: Buffer): boolean {
  return profile.toString('latin1', 16, 20) === 'RGB '
}

/** ICC.1:2022, 7.3 and 10.31: a table of tags, and in these three the XYZ of a primary. */
function chromaticity(profile: Buffer, tag: string): [x: number, y: number] {
  for (let i = 0, at = 132; i < profile.readUInt32BE(128); i++, at += 12) {
    if (profile.toString('latin1', at, at + 4) !== tag) continue
    const value = profile.readUInt32BE(at + 4) + 8
    const [x, y, z] = [0, 4, 8].map((offset) => profile.readInt32BE(value + offset) / 65536) as [
      number,
      number,
      number,
    ]
    return [x / (x + y + z), y / (x + y + z)]
  }
  throw new Error('the profile has no such tag')
}

function triangleArea(corners: [x: number, y: number][]): number {
  const [[ax, ay], [bx, by], [cx, cy]] = corners as [[number, number], [number, number], [number, number]]
  return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
}

/** What a profile says about colours. Everything else is texts, dates and marks of whoever made it. */
const COLOURS = ['wtpt', 'bkpt', 'chad', 'cicp', 'lumi', 'chrm'].concat(
  ['rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'],
  ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'gamt'],
)
const HEADER_BYTES = 128
const TAG_BYTES = 12

export interface KeptProfile {
  original: Buffer
  /** As long, without what the original says about anything but colours. */
  plain: Buffer
}

/** Exchanges the profile in an encoded image, of which nothing else has to move. */
export function withPlainProfile(image: Buffer, profile: KeptProfile | undefined): Buffer {
  if (!profile) return image
  const at = image.indexOf(profile.original)
  if (at < 0) throw new Error('the colour profile is not where it was put')
  const cleaned = Buffer.from(image)
  profile.plain.copy(cleaned, at)
  return cleaned
}

/** Undefined for one that is not as it should be: nobody knows what else is in there. */
export function plainProfile(profile: Buffer | undefined): KeptProfile | undefined {
  try {
    return profile && { original: profile, plain: reduced(profile) }
  } catch {
    return undefined
  }
}

/** ICC.1:2022, 7.2 and 7.3. */
function reduced(profile: Buffer): Buffer {
  const plain = Buffer.alloc(profile.length)
  profile.copy(plain, 0, 0, HEADER_BYTES)
  // The preferred engine; when it was made, by whom, for which device; and what it is called by.
  for (const [start, end] of [
    [4, 8],
    [24, 36],
    [40, 64],
    [80, 100],
  ] as const)
    plain.fill(0, start, end)
  const tags = tagsOf(profile)
  const kept = tags.filter(({ name }) => COLOURS.includes(name))
  // Required, and short: there was a longer one of each, whose place is free now.
  const texts = tags.filter(({ name }) => name === 'desc' || name === 'cprt')
  plain.writeUInt32BE(kept.length + texts.length, HEADER_BYTES)
  let at = HEADER_BYTES + 4
  for (const { name, start, length } of kept) {
    profile.copy(plain, start, start, start + length)
    at = writeTag(plain, at, { name, start, length })
  }
  for (const { name, start, length } of texts) {
    const text = textOf(name, profile.readUInt32BE(8) >>> 24)
    if (text.length > length) throw new Error('the colour profile has no place for its name')
    text.copy(plain, start)
    at = writeTag(plain, at, { name, start, length: text.length })
  }
  return plain
}

interface ProfileTag {
  name: string
  start: number
  length: number
}

function tagsOf(profile: Buffer): ProfileTag[] {
  return Array.from({ length: profile.readUInt32BE(HEADER_BYTES) }, (_, i) => {
    const at = HEADER_BYTES + 4 + i * TAG_BYTES
    const name = profile.toString('latin1', at, at + 4)
    return { name, start: profile.readUInt32BE(at + 4), length: profile.readUInt32BE(at + 8) }
  })
}

function writeTag(profile: Buffer, at: number, { name, start, length }: ProfileTag): number {
  profile.write(name, at, 'latin1')
  profile.writeUInt32BE(start, at + 4)
  profile.writeUInt32BE(length, at + 8)
  return at + TAG_BYTES
}

/** A name of the profile, or its licence, as the version of the profile wants to have it. */
function textOf(name: string, version: number): Buffer {
  const words = name === 'desc' ? 'RGB' : 'CC0'
  if (version >= 4) {
    // 10.15, multiLocalizedUnicode: one record, in English.
    const text = Buffer.from(words, 'utf16le').swap16()
    const head = Buffer.from('6d6c756300000000000000010000000c656e5553', 'hex')
    const tail = Buffer.alloc(8)
    tail.writeUInt32BE(text.length, 0)
    tail.writeUInt32BE(28, 4)
    return Buffer.concat([head, tail, text])
  }
  if (name === 'cprt') return Buffer.from(`text\0\0\0\0${words}\0`, 'latin1')
  // ICC.1:2001, 6.5.17: the text in ASCII, then none in Unicode, and none for a Macintosh.
  const count = Buffer.alloc(4)
  count.writeUInt32BE(words.length + 1)
  return Buffer.concat([
    Buffer.from('desc\0\0\0\0', 'latin1'),
    count,
    Buffer.from(`${words}\0`),
    Buffer.alloc(78),
  ])
}

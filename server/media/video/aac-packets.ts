import type { MediaDescription } from './description.ts'

/** Samples in a block of AAC. */
export const BLOCK = 1024
export const ADTS_HEADER = 7
/** A block in which nothing is heard, for one channel and for two. */
export const SILENCE = [Buffer.from('01182007', 'hex'), Buffer.from('211004608c1c', 'hex')]

/** A sound of a file that may be passed on as it is, by what the file says about it. */
export interface CopyableSound {
  stream: number
  sampleRate: number
  /** Bits a second; 0 where the file does not tell. */
  bitrate: number
}

/** A sound that is passed on as it is, packet by packet, but where that cannot be. */
export interface CopiedSound {
  sampleRate: number
  /** Bits a second. */
  bitrate: number
  /**
   * The second of the source's clock at which the packet begins that is nearest to the first picture. The presentation
   * begins with it, so a copied sound is at most half a packet from where it belongs.
   */
  zero: number
}

/** Lower ones are often one half of HE-AAC, which tells of its other half in its packets only. */
const SAMPLE_RATES = [32_000, 44_100, 48_000]
/** Half as much again as is encoded: whoever watches over a slow network is not to pay for a careless export. */
const MAX_BITRATE = 256_000
/** Containers that tell when a packet is heard. */
const TIMED_CONTAINERS = /mp4|matroska/

/** Sounds of a kind that every player takes. Whether they are whole shows when they are read. */
export function couldBePassedOn({ container, audio }: MediaDescription): CopyableSound[] {
  if (!TIMED_CONTAINERS.test(container)) return []
  return audio
    .filter(({ codec, profile, channels }) => codec === 'aac' && profile === 'LC' && channels <= 2)
    .filter(({ sampleRate, bitrate = 0 }) => SAMPLE_RATES.includes(sampleRate) && bitrate <= MAX_BITRATE)
    .map(({ index, sampleRate, bitrate = 0 }) => ({ stream: index, sampleRate, bitrate }))
}

/** A packet as a file has it. */
export interface SourcePacket {
  /** When it is heard, in seconds of the source's clock. */
  time: number
  data: Buffer
  /** Whether it decodes, and to as many samples as it is to have. */
  isWhole: boolean
}

/** By how much the times of a container may be beside those that are meant: some count in milliseconds. */
const ROUNDING_SECONDS = 0.001

/**
 * Finds the grid that packets are on, one block after the other. Undefined where they are not, where one is not whole,
 * or where the sound does not begin with the pictures.
 */
export function gridOf(packets: SourcePacket[], sampleRate: number, pictures: number): number | undefined {
  const block = BLOCK / sampleRate
  const [first] = packets
  if (!first) return undefined
  // Rounded times are right on average.
  const offsets = packets.map(({ time }, i) => time - i * block)
  const mean = offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length
  if (offsets.some((offset) => Math.abs(offset - mean) > block / 4)) return undefined
  const nearest = Math.round((pictures - mean) / block)
  const heard = packets.slice(Math.max(0, nearest))
  if (nearest < 0 || heard.length === 0 || heard.some(({ isWhole }) => !isWhole)) return undefined
  return mean + nearest * block
}

/**
 * Packets by the number of the block that each is in the presentation, without those that are damaged or are not where a
 * block is: there they are too far from the picture, or two are in one place. And behind which block no packet is.
 */
export function placePackets(
  packets: SourcePacket[],
  { sampleRate, zero }: CopiedSound,
  pictures: number,
): { blocks: Map<number, Buffer>; end: number } {
  const block = BLOCK / sampleRate
  const blocks = new Map<number, Buffer>()
  const taken = new Set<number>()
  let end = 0
  for (const { time, data, isWhole } of packets) {
    const number = Math.round((time - zero) / block)
    const offGrid = Math.abs(time - zero - number * block)
    const offPicture = Math.abs(time - pictures - number * block)
    const isInPlace = offGrid <= block / 4 && offPicture <= block / 2 + ROUNDING_SECONDS
    if (isInPlace && isWhole && !taken.has(number)) blocks.set(number, data)
    else blocks.delete(number)
    taken.add(number)
    end = Math.max(end, number + 1)
  }
  return { blocks, end }
}

/** How many bits of a channel a packet may have, by the standard; what is more is no sound. */
const MAX_CHANNEL_BYTES = 6144 / 8
/** As headers of ADTS number them. */
const RATE_NUMBERS = new Map([
  [48_000, 3],
  [44_100, 4],
  [32_000, 5],
])

/** Whether a packet with a header of ADTS is AAC-LC of this kind. */
export function isOfKind(packet: Buffer, { sampleRate, channels }: { sampleRate: number; channels: number }) {
  const [, flags = 0, kind = 0, next = 0] = packet
  return (
    (flags & 1) === 1 &&
    kind >> 6 === 1 &&
    ((kind >> 2) & 15) === RATE_NUMBERS.get(sampleRate) &&
    (((kind & 1) << 2) | (next >> 6)) === channels &&
    packet.length - ADTS_HEADER <= MAX_CHANNEL_BYTES * channels
  )
}

/** How a picture in high dynamic range is coded: ITU-T H.273. */
export interface Hdr {
  transfer: 'pq' | 'hlg'
  primaries: 'bt2020' | 'p3' | 'bt709'
}

export interface Samples {
  /** Where they begin, in a memory of little-endian numbers of 16 bits, three for each pixel. */
  start: number
  /** Bytes of a row. */
  stride: number
  width: number
  height: number
  bits: number
}

const PQ = 16
const HLG = 18

export function hdrOf(codes: { primaries: number; transfer: number } | undefined): Hdr | undefined {
  if (codes?.transfer !== PQ && codes?.transfer !== HLG) return undefined
  const primaries = codes.primaries === 9 ? 'bt2020' : [11, 12].includes(codes.primaries) ? 'p3' : 'bt709'
  return { transfer: codes.transfer === PQ ? 'pq' : 'hlg', primaries }
}

/** ITU-R BT.2408: what a sheet of paper is graded to; it is the white of a usual screen. */
const WHITE_NITS = 203
/** Highlights up to here are told apart; what is brighter is white. */
const PEAK_NITS = 1000
/** Below this part of white nothing is changed. */
const KNEE = 0.7

/** To the primaries of BT.709, in linear light. */
const MATRICES: Record<Hdr['primaries'], number[]> = {
  bt2020: [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187],
  p3: [1.2249, -0.2247, 0, -0.042, 1.0419, 0, -0.0197, -0.0786, 1.0979],
  bt709: [1, 0, 0, 0, 1, 0, 0, 0, 1],
}

/**
 * Brings a picture into the range of a usual screen, sRGB with 8 bits: darks and midtones stay as they are, and
 * highlights are rolled off, all three colours alike, so that they keep their hue.
 */
export function toneMapped(memory: Uint8Array, samples: Samples, { transfer, primaries }: Hdr): Buffer {
  const { start, stride, width, height, bits } = samples
  const light = lightOf(bits, transfer)
  const screen = screenTable()
  const [a, b, c, d, e, f, g, h, i] = MATRICES[primaries] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const out = Buffer.allocUnsafe(width * height * 3)
  const mask = 2 ** bits - 1
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = start + y * stride; x < width; x++, from += 6, to += 3) {
      let red = light[(memory[from]! | (memory[from + 1]! << 8)) & mask]!
      let green = light[(memory[from + 2]! | (memory[from + 3]! << 8)) & mask]!
      let blue = light[(memory[from + 4]! | (memory[from + 5]! << 8)) & mask]!
      if (transfer === 'hlg') {
        // BT.2100, OOTF: how bright a screen makes a scene depends on how bright the pixel is as a whole.
        const scene = 0.2627 * red + 0.678 * green + 0.0593 * blue
        const gain = (scene > 0 ? scene ** 0.2 : 0) * (PEAK_NITS / WHITE_NITS)
        red *= gain
        green *= gain
        blue *= gain
      }
      const r = a * red + b * green + c * blue
      const s = d * red + e * green + f * blue
      const t = g * red + h * green + i * blue
      const brightest = Math.max(r, s, t)
      const scale = brightest > KNEE ? rolledOff(brightest) / brightest : 1
      out[to] = shown(screen, r * scale)
      out[to + 1] = shown(screen, s * scale)
      out[to + 2] = shown(screen, t * scale)
    }
  }
  return out
}

/** From the knee on a curve that leaves it straight on and reaches white at the peak. */
function rolledOff(value: number): number {
  const peak = (PEAK_NITS / WHITE_NITS - KNEE) / (1 - KNEE)
  const x = Math.min((value - KNEE) / (1 - KNEE), peak)
  return KNEE + ((1 - KNEE) * x * (1 + x / peak ** 2)) / (1 + x)
}

/** Light of each coded value: of PQ as a part of white, of HLG as that of the scene. */
function lightOf(bits: number, transfer: Hdr['transfer']): Float32Array {
  const most = 2 ** bits - 1
  const decode = transfer === 'pq' ? pqLight : hlgScene
  return Float32Array.from({ length: most + 1 }, (_, value) => decode(value / most))
}

/** SMPTE ST 2084. */
function pqLight(signal: number): number {
  const root = signal ** (1 / 78.84375)
  const nits =
    10_000 * (Math.max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  return nits / WHITE_NITS
}

/** BT.2100, inverse OETF. */
function hlgScene(signal: number): number {
  return signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
}

const STEPS = 4096

/** sRGB, by its square root: dark values lie closer together. */
function screenTable(): Uint8Array {
  return Uint8Array.from({ length: STEPS + 1 }, (_, i) => {
    const linear = (i / STEPS) ** 2
    const signal = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(signal * 255)
  })
}

function shown(table: Uint8Array, linear: number): number {
  return table[linear <= 0 ? 0 : linear >= 1 ? STEPS : Math.round(Math.sqrt(linear) * STEPS)]!
}

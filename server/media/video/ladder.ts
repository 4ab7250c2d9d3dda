export type Quality = 'basic' | 'shorts' | 'pro'

/** The largest shorter side that a tier makes. */
const TOP: Record<Quality, number> = { basic: 720, shorts: 1080, pro: 2160 }

/** Shorter sides, and the bits a second that a rung of that size may take at 30 pictures a second. */
const RUNGS = [
  { side: 360, rate: 900_000 },
  { side: 480, rate: 1_600_000 },
  { side: 720, rate: 3_500_000 },
  { side: 1080, rate: 6_500_000 },
  { side: 1440, rate: 11_000_000 },
  { side: 2160, rate: 20_000_000 },
]

/** A rung this close to the top one is not worth its encoding. */
const CLOSE = 0.8
const MIN_SIDE = 16

export interface Rung {
  width: number
  height: number
  /** Bits a second that are exceeded at no time for longer than the buffer of two seconds. */
  maxRate: number
  /** Of H.264, times ten. */
  level: number
}

export interface Picture {
  /** As displayed. */
  width: number
  height: number
  framesPerSecond: number
}

export function topSide(quality: Quality, { width, height }: Picture): number {
  return Math.min(TOP[quality], Math.min(width, height))
}

/** The sizes a picture is offered in, lowest first: the source's own or the tier's, and standard ones below. */
export function ladder(quality: Quality, picture: Picture): Rung[] {
  const top = topSide(quality, picture)
  const sides = [...RUNGS.map((rung) => rung.side).filter((side) => side <= top * CLOSE), top]
  return sides.map((side) => rungOf(side, picture))
}

function rungOf(side: number, picture: Picture): Rung {
  const scale = side / Math.min(picture.width, picture.height)
  const width = even(picture.width * scale)
  const height = even(picture.height * scale)
  const maxRate = rateOf(Math.min(width, height), picture.framesPerSecond)
  return { width, height, maxRate, level: levelOf(width, height, picture.framesPerSecond, maxRate) }
}

/** Downwards, so that no rung is larger than its source. */
function even(value: number): number {
  return Math.max(MIN_SIDE, 2 * Math.floor((value + 0.01) / 2))
}

/** Between two standard sizes by the number of pixels. Twice the pictures do not take twice the bits. */
function rateOf(side: number, framesPerSecond: number): number {
  const above = RUNGS.find((rung) => rung.side >= side) ?? RUNGS.at(-1)!
  const share = Math.max(0.2, (side / above.side) ** 1.5)
  const motion = Math.max(1, framesPerSecond / 30) ** 0.6
  return Math.round((above.rate * share * motion) / 1000) * 1000
}

/** Level, macroblocks a second, macroblocks a picture, kilobits a second in High profile. */
const LEVELS = [
  [30, 40_500, 1620, 12_500],
  [31, 108_000, 3600, 17_500],
  [32, 216_000, 5120, 25_000],
  [40, 245_760, 8192, 25_000],
  [42, 522_240, 8704, 62_500],
  [50, 589_824, 22_080, 168_750],
  [51, 983_040, 36_864, 300_000],
  [52, 2_073_600, 36_864, 300_000],
  [60, 4_177_920, 139_264, 300_000],
  [61, 8_355_840, 139_264, 600_000],
  [62, 16_711_680, 139_264, 1_000_000],
] as const

function levelOf(width: number, height: number, framesPerSecond: number, rate: number): number {
  const blocks = Math.ceil(width / 16) * Math.ceil(height / 16)
  const fits = LEVELS.find(
    ([, perSecond, perPicture, kilobits]) =>
      blocks <= perPicture && blocks * framesPerSecond <= perSecond && rate <= kilobits * 1000,
  )
  return (fits ?? LEVELS.at(-1)!)[0]
}

import { seeded } from './random.ts'

/** Gradient noise (Perlin's): about -0.7 to 0.7, smooth, and the same again after `period` in both directions. */
export type Noise = (x: number, y: number, period?: number) => number

const SIZE = 256

export function gradientNoise(seed: number): Noise {
  const random = seeded(seed)
  const order = new Uint8Array(SIZE * 2)
  const slopesX = new Float32Array(SIZE)
  const slopesY = new Float32Array(SIZE)
  for (let i = 0; i < SIZE; i++) order[i] = i
  for (let i = SIZE - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const kept = order[i]!
    order[i] = order[j]!
    order[j] = kept
  }
  order.copyWithin(SIZE, 0, SIZE)
  for (let i = 0; i < SIZE; i++) {
    const angle = random() * Math.PI * 2
    slopesX[i] = Math.cos(angle)
    slopesY[i] = Math.sin(angle)
  }
  const at = (ix: number, iy: number, dx: number, dy: number) => {
    const slope = order[order[ix]! + iy]!
    return slopesX[slope]! * dx + slopesY[slope]! * dy
  }

  return (x, y, period = SIZE) => {
    const fx = Math.floor(x)
    const fy = Math.floor(y)
    const dx = x - fx
    const dy = y - fy
    const x0 = wrap(fx, period)
    const y0 = wrap(fy, period)
    const x1 = wrap(fx + 1, period)
    const y1 = wrap(fy + 1, period)
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10)
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10)
    const top = at(x0, y0, dx, dy) * (1 - u) + at(x1, y0, dx - 1, dy) * u
    const bottom = at(x0, y1, dx, dy - 1) * (1 - u) + at(x1, y1, dx - 1, dy - 1) * u
    return top * (1 - v) + bottom * v
  }
}

function wrap(value: number, period: number): number {
  const rest = value % period
  return (rest < 0 ? rest + period : rest) & (SIZE - 1)
}

/** Octaves of noise on top of each other, each finer and weaker: about -1 to 1. Repeats as `noise` does. */
export function fractal(noise: Noise, x: number, y: number, octaves: number, period = SIZE): number {
  let [sum, weight, scale] = [0, 0.75, 1]
  for (let i = 0; i < octaves; i++) {
    sum += weight * noise(x * scale + i * 17, y * scale + i * 31, Math.min(SIZE, period * scale))
    weight *= 0.5
    scale *= 2
  }
  return sum
}

/** Crests where noise passes through zero: 0 to about 1.6, the look of mountains and of light on a sea bed. */
export function ridged(noise: Noise, x: number, y: number, octaves: number, period = SIZE): number {
  let [sum, weight, scale] = [0, 0.8, 1]
  for (let i = 0; i < octaves; i++) {
    const n =
      1 - Math.abs(noise(x * scale + i * 17, y * scale + i * 31, Math.min(SIZE, period * scale)) * 1.6)
    sum += weight * n * n
    weight *= 0.48
    scale *= 2
  }
  return sum
}

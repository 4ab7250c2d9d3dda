/** Red, green and blue from 0 to 1, as a screen shows them. */
export type Colour = readonly [number, number, number]

export function hex(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

export const clamp = (x: number) => (x < 0 ? 0 : x > 1 ? 1 : x)
export const mix = (a: number, b: number, t: number) => a + (b - a) * t

/** 0 before `from`, 1 behind `to`, and an even way between. */
export function smooth(from: number, to: number, x: number): number {
  const t = clamp((x - from) / (to - from))
  return t * t * (3 - 2 * t)
}

/** What a pixel is painted into; `out[3]` is how opaque it is. */
export type Pixel = Float32Array

export function put(out: Pixel, [r, g, b]: Colour, alpha = 1): void {
  out[0] = r
  out[1] = g
  out[2] = b
  out[3] = alpha
}

/** Goes from what is there to a colour, so far. */
export function toward(out: Pixel, [r, g, b]: Colour, t: number): void {
  out[0] = mix(out[0]!, r, t)
  out[1] = mix(out[1]!, g, t)
  out[2] = mix(out[2]!, b, t)
}

/** Adds light. */
export function add(out: Pixel, [r, g, b]: Colour, strength: number): void {
  out[0]! += r * strength
  out[1]! += g * strength
  out[2]! += b * strength
}

/** A colour along stops, each with its place from 0 to 1. */
export function along(stops: readonly (readonly [number, Colour])[], at: number): Colour {
  const next = stops.findIndex(([place]) => place >= at)
  if (next === 0) return stops[0]![1]
  if (next < 0) return stops.at(-1)![1]
  const [from, a] = stops[next - 1]!
  const [to, b] = stops[next]!
  const t = (at - from) / (to - from)
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)]
}

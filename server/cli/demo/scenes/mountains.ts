import { add, along, type Colour, hex, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise, ridged } from '../draw/noise.ts'
import { type Raster, shade, stamp } from '../draw/raster.ts'
import { type Land, makeLand, renderLand } from '../draw/terrain.ts'

export function makeMountains(seed: number, size = 768): Land {
  const noise = gradientNoise(seed)
  return makeLand(size, (u, v) => {
    const bend = fractal(noise, u * 2, v * 2, 3, 2) * 0.1
    const high = ridged(noise, (u + bend) * 2, (v - bend) * 2, 8, 2)
    const broad = fractal(noise, u * 2 + 7, v * 2, 2, 2) * 0.5 + 0.6
    return Math.max(0, high - 0.3) * broad * 0.2
  })
}

/** Steps of rock, as rivers leave them. */
export function makeCanyon(seed: number, size = 768): Land {
  const noise = gradientNoise(seed)
  return makeLand(size, (u, v) => {
    const bend = fractal(noise, u * 3 + 5, v * 3, 4, 3) * 0.2
    const raw = fractal(noise, (u + bend) * 4, (v + bend) * 4, 6, 4) * 0.5 + 0.5
    const steps = raw * 5.5
    const part = steps - Math.floor(steps)
    return ((Math.floor(steps) + smooth(0.62, 0.98, part)) / 5.5 + part * 0.02) * 0.26
  })
}

export interface MountainLight {
  sun: { heading: number; slope: number }
  sunlight: Colour
  shadow: Colour
  haze: Colour
  sky: [number, Colour][]
  clouds: Colour
  /** How soon what is far goes over into haze. */
  thickness: number
}

export interface MountainView {
  width: number
  height: number
  land: Land
  eye: { x: number; z: number; height: number; heading: number }
  horizon: number
  focal: number
  light: MountainLight
  seed: number
  surface(out: Float32Array, at: { height: number; flatness: number; rough: number }): void
}

/** Land under a sky with clouds, in one light. */
export function drawMountains(view: MountainView): Raster {
  const { width, height, light, surface } = view
  const noise = gradientNoise(view.seed)
  const picture = shade(width, height, (px, py, out) => {
    const [x, y] = [px / width, py / height]
    put(out, along(light.sky, Math.min(1, y / view.horizon)))
    const far = Math.max(0.05, view.horizon - y)
    // Clouds lie in a plane above: towards the horizon they are closer to each other.
    const bend = fractal(noise, x / far / 3, 2 / far, 3) * 0.3
    const cloud = smooth(0.02, 0.6, fractal(noise, ((x - 0.5) / far) * 0.6 + bend, 1.1 / far + bend, 6))
    toward(out, light.clouds, cloud * 0.75 * smooth(0.03, 0.3, far))
  })
  const ground = renderLand({
    ...view,
    near: 0.03,
    far: 4.5,
    sun: light.sun,
    paint(out, { x, z, distance, light: sun, sky, flatness, height: h }) {
      const rough = fractal(noise, x * 70, z * 70, 4)
      surface(out, { height: h, flatness, rough })
      const [r, g, b] = [out[0]!, out[1]!, out[2]!]
      const shine = Math.max(0, sun * (1 + rough * 0.25))
      put(out, [r * light.shadow[0] * sky, g * light.shadow[1] * sky, b * light.shadow[2] * sky])
      add(out, [r * light.sunlight[0], g * light.sunlight[1], b * light.sunlight[2]], shine)
      const veil = 1 - Math.exp(-distance * light.thickness * (1 + 2.5 * smooth(0.16, 0, h)))
      toward(out, light.haze, veil)
    },
  })
  stamp(picture, ground, 0, 0)
  return picture
}

/** Meadow below, rock above, and snow where it can lie. */
export function alpine(
  out: Float32Array,
  { height, flatness, rough }: { height: number; flatness: number; rough: number },
  snowline: number,
): void {
  put(out, [0.16, 0.22, 0.1])
  toward(
    out,
    [0.3, 0.27, 0.25],
    smooth(0.86, 0.7, flatness + rough * 0.12) + smooth(snowline * 0.5, snowline * 0.8, height),
  )
  toward(
    out,
    [0.93, 0.95, 1],
    smooth(snowline * 0.85, snowline * 1.15, height + rough * 0.03) *
      smooth(0.42, 0.66, flatness + rough * 0.12),
  )
}

/** Red rock in bands. */
export function sandstone(
  out: Float32Array,
  { height, flatness, rough }: { height: number; flatness: number; rough: number },
): void {
  const band = Math.sin(height * 260 + rough * 3) * 0.5 + 0.5
  put(out, hex('#b5593a'))
  toward(out, hex('#e0a070'), band * 0.45)
  toward(out, hex('#7a3327'), smooth(0.2, 0.6, rough) * 0.5)
  toward(out, hex('#8a7a50'), smooth(0.86, 0.97, flatness + rough * 0.05) * 0.55)
}

import { add, along, type Colour, clamp, hex, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise } from '../draw/noise.ts'
import { type Raster, shade } from '../draw/raster.ts'

export interface SeaView {
  width: number
  height: number
  seed: number
  /** The row where sea and sky meet, as a part of the height. */
  horizon: number
  /** Sun or moon: where it stands, how large it is, and the colour of its light. */
  disc: { x: number; y: number; radius: number; colour: Colour }
  sky: [number, Colour][]
  water: [number, Colour][]
  clouds: Colour
}

/** Open sea under a low sun or a moon, with the road of light below it. */
export function drawOpenSea(view: SeaView): Raster {
  const { width, height, horizon, disc } = view
  const noise = gradientNoise(view.seed)
  const wide = width / height
  return shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    const dx = x - disc.x * wide
    if (y < horizon) {
      put(out, along(view.sky, y / horizon))
      const away = Math.hypot(dx, y - disc.y)
      add(out, disc.colour, 0.35 * Math.exp(-away * 3) + 0.4 * Math.exp(-away * 11))
      const lower = horizon - y
      const bend = fractal(noise, x * 2, y * 6, 3) * 0.3
      const cloud = smooth(0.02, 0.7, fractal(noise, x * 1.2 + bend, y * 8 + bend, 6) + 0.15)
      toward(out, view.clouds, cloud * 0.8 * smooth(0, 0.1, lower))
      add(out, disc.colour, cloud * Math.exp(-away * 4) * 0.35)
      toward(out, [1, 0.98, 0.93], smooth(disc.radius, disc.radius * 0.93, away) * (1 - cloud * 0.5))
      return
    }
    const down = (y - horizon) / (1 - horizon)
    const near = 0.012 + down ** 1.3 * 0.5
    put(out, along(view.water, down))
    const swell = fractal(noise, (x - wide / 2) / (near * 1.1), 26 / (near * 8 + 0.25), 5)
    const chop = fractal(noise, (x - wide / 2) / (near * 0.22) + 40, 80 / (near * 8 + 0.25), 3)
    const wave = swell * 0.7 + chop * 0.45
    add(out, along(view.sky, 0.85), clamp(wave) * 0.32)
    toward(out, [0, 0.01, 0.03], clamp(-wave) * 0.45)
    const road = Math.exp(-((dx / (0.05 + down * 0.24)) ** 2))
    const glitter = smooth(0.3 - road * 0.32, 0.62, wave + chop * 0.25)
    add(out, disc.colour, road * (0.14 + glitter * 0.95) * (1 - down * 0.25))
  })
}

export const SUNDOWN: Omit<SeaView, 'width' | 'height' | 'seed'> = {
  horizon: 0.52,
  disc: { x: 0.6, y: 0.44, radius: 0.045, colour: hex('#ffd9a0') },
  sky: [
    [0, hex('#27305f')],
    [0.45, hex('#8b5a86')],
    [0.8, hex('#f0906a')],
    [1, hex('#ffc98a')],
  ],
  water: [
    [0, hex('#c97a6a')],
    [0.25, hex('#6a4a70')],
    [1, hex('#151c3c')],
  ],
  clouds: hex('#5d3f68'),
}

export const MOONLIGHT: Omit<SeaView, 'width' | 'height' | 'seed'> = {
  horizon: 0.58,
  disc: { x: 0.42, y: 0.2, radius: 0.05, colour: hex('#e8efff') },
  sky: [
    [0, hex('#040817')],
    [0.6, hex('#0d1c3c')],
    [1, hex('#2a4468')],
  ],
  water: [
    [0, hex('#22395a')],
    [0.3, hex('#0d1a34')],
    [1, hex('#03060f')],
  ],
  clouds: hex('#131f3a'),
}

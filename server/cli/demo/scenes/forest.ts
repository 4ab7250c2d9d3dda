import { add, type Colour, clamp, hex, mix, put, smooth } from '../draw/colour.ts'
import { fractal, gradientNoise } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { type Raster, shade, stamp } from '../draw/raster.ts'
import { drawFir } from './firs.ts'

/** Firs in the fog, row behind row, with the sun somewhere above and its beams between them. */
export function drawForest(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  const random = seeded(seed)
  const [light, dark]: [Colour, Colour] = [hex('#f4ead0'), hex('#101d1c')]
  const sun = [0.64, 0.2] as const
  const picture = shade(width, height, (px, py, out) => {
    const [x, y] = [px / width, py / height]
    const away = Math.hypot((x - sun[0]) * (width / height), y - sun[1])
    const fog = fractal(noise, x * 2, y * 3, 4) * 0.06
    put(out, hex('#93aaa0'))
    add(out, [0.55, 0.45, 0.25], Math.exp(-away * 2.4) * 0.85 + fog)
    const shadow = smooth(0.5, 1, y) * 0.35
    put(out, [out[0]! - shadow, out[1]! - shadow * 0.9, out[2]! - shadow * 0.85])
  })
  for (let row = 0; row < 6; row++) {
    const near = row / 5
    const layer = shade(width, height, (_, __, out) => put(out, [0, 0, 0], 0))
    const veil = hex('#8ea69c')
    const colour = [0, 1, 2].map((c) =>
      mix(veil[c]!, dark[c]!, 0.12 + near ** 1.2 * 0.86),
    ) as unknown as Colour
    const count = Math.round(26 - near * 15)
    for (let i = 0; i < count; i++) {
      const tall = height * (0.3 + near * 0.62) * (0.7 + random() * 0.5)
      const x = ((i + random() * 0.9) / count) * width * 1.1 - width * 0.05
      // The middle is left open, so that one sees into it.
      if (near > 0.5 && Math.abs(x / width - 0.55) < 0.16) continue
      drawFir(layer, { x, foot: height * (0.66 + near * 0.42), tall, colour }, random)
    }
    stamp(picture, layer, 0, 0)
    if (row < 5) stamp(picture, drawVeil(width, height, seed + row, 0.42 - near * 0.25), 0, 0)
  }
  return beams(picture, sun, light, noise)
}

function drawVeil(width: number, height: number, seed: number, strength: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const [x, y] = [px / width, py / height]
    const fog = fractal(noise, x * 3, y * 5, 4) * 0.5 + 0.5
    put(out, hex('#b9c8b8'), clamp(fog * strength * smooth(0.25, 0.75, y) + strength * 0.3))
  })
}

function beams(
  picture: Raster,
  sun: readonly [number, number],
  light: Colour,
  noise: (x: number, y: number) => number,
): Raster {
  const { width, height, data } = picture
  return shade(width, height, (px, py, out) => {
    const i = (py * width + px) * 4
    const [dx, dy] = [px / height - (sun[0] * width) / height, py / height - sun[1]]
    const away = Math.hypot(dx, dy)
    const angle = Math.atan2(dx, dy)
    const ray =
      smooth(-0.05, 0.6, fractal(noise, angle * 7, 3.3, 3)) * Math.exp(-away * 1.5) * smooth(0, 0.2, dy + 0.1)
    put(out, [data[i]! / 255, data[i + 1]! / 255, data[i + 2]! / 255])
    add(out, light, ray * 0.5 + Math.exp(-away * 7) * 0.45)
  })
}

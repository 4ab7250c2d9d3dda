import type { Colour } from '../draw/colour.ts'
import type { Raster } from '../draw/raster.ts'

export interface Fir {
  x: number
  /** Where it stands, and how high it is. */
  foot: number
  tall: number
  colour: Colour
}

/** The shape of a fir, branch above branch. */
export function drawFir(onto: Raster, { x, foot, tall, colour }: Fir, random: () => number): void {
  const tiers = 9 + Math.floor(random() * 5)
  const lean = (random() - 0.5) * 0.03
  const breadth = 0.15 + random() * 0.07
  for (let y = Math.max(0, Math.floor(foot - tall)); y < Math.min(onto.height, foot + 4); y++) {
    const down = Math.max(0, 1 - (foot - y) / tall)
    const tier = (down * tiers) % 1
    const ragged = 0.82 + random() * 0.3
    const half =
      down > 0.97 ? tall * 0.012 : 0.5 + down ** 0.85 * tall * breadth * (0.45 + 0.55 * tier) * ragged
    const middle = x + lean * (foot - y)
    for (let column = Math.floor(middle - half - 1); column <= middle + half + 1; column++) {
      if (column < 0 || column >= onto.width) continue
      const share = Math.min(1, Math.max(0, half - Math.abs(column - middle) + 0.5))
      if (share === 0) continue
      const i = (y * onto.width + column) * 4
      const under = onto.data[i + 3]! / 255
      for (let c = 0; c < 3; c++)
        onto.data[i + c] =
          under === 0 ? colour[c]! * 255 : onto.data[i + c]! * (1 - share) + colour[c]! * 255 * share
      onto.data[i + 3] = Math.max(onto.data[i + 3]!, share * 255)
    }
  }
}

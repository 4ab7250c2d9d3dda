import path from 'node:path'
import { add, along, type Colour, clamp, hex, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise, ridged } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { glow, type Raster, shade, stamp, writeLayer } from '../draw/raster.ts'
import { FINISH, over, type Scene, still, window } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [1280, 720, 28]
/** The row of the shore: above it the sky, below it the sky again. */
const SHORE = 480
/** How high the mountains are. */
const PEAKS = 230

const NIGHT: [number, Colour][] = [
  [0, hex('#050a1c')],
  [0.6, hex('#0a1a36')],
  [1, hex('#173451')],
]

/** A clear night with its stars and a trace of the Milky Way. */
export function nightSky(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  const random = seeded(seed)
  const raster = shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    put(out, along(NIGHT, y))
    const across = Math.abs(x * 0.55 + y * 0.9 - 0.95 + fractal(noise, x * 2, y * 2, 3) * 0.12)
    const dust = fractal(noise, x * 5, y * 5 + 9, 5) * 0.5 + 0.5
    add(out, [0.55, 0.6, 0.75], Math.exp(-across * across * 22) * 0.16 * dust)
  })
  for (let i = 0; i < (width * height) / 900; i++) {
    const brightness = random() ** 7
    const warm = random()
    glow(raster, {
      x: random() * width,
      y: random() * height,
      radius: 1.1 + brightness * 2.6,
      colour: [0.85 + warm * 0.15, 0.9, 1 - warm * 0.2],
      strength: 0.25 + brightness * 1.1,
    })
  }
  return raster
}

export interface Curtains {
  width: number
  height: number
  seed: number
  /** Where the lower edges are, as a part of the height. */
  edge: number
  /** The pattern repeats after so many pixels. */
  repeat: number
  colours: [Colour, Colour, Colour]
  /** How many hang behind each other. */
  folds?: number
}

/** Curtains of light: bright along a lower edge that winds, fading upward in rays. On black, to be added. */
export function drawCurtains({ width, height, seed, edge, repeat, colours, folds = 1 }: Curtains): Raster {
  const noise = gradientNoise(seed)
  const [low, middle, high] = colours
  const cells = 4
  // All but the way upward is the same for a whole column.
  const columns = Array.from({ length: folds }, (_, fold) =>
    Array.from({ length: width }, (_, px) => {
      const x = (px / repeat) * cells
      const wide = fractal(noise, x, fold * 40 + 0.5, 3, cells) * 0.42
      const fine = fractal(noise, x * 3, fold * 7, 2, cells * 3) * 0.05
      const rays = (fractal(noise, x * 18, fold * 9 + 0.3, 3, cells * 18) * 0.5 + 0.6) ** 1.8
      const patches = smooth(-0.15, 0.45, fractal(noise, x, fold * 17 + 3.3, 2, cells))
      return { base: edge - fold * 0.26 + wide + fine, strength: rays * patches * (1 - fold * 0.35) * 1.7 }
    }),
  )
  return shade(width, height, (px, py, out) => {
    put(out, [0, 0, 0])
    for (const fold of columns) {
      const { base, strength } = fold[px]!
      const up = base - py / height
      // Below its edge it ends soon, but not at once.
      const fade = up > 0 ? Math.exp(-up * 8) + Math.exp(-up * 2.2) * 0.42 : 1.42 * Math.exp(up * 42)
      const colour = along(
        [
          [0, low],
          [0.16, middle],
          [0.5, high],
        ],
        Math.max(0, up),
      )
      add(out, colour, strength * fade)
    }
  })
}

export const GREEN: [Colour, Colour, Colour] = [hex('#5dffb0'), hex('#2fd6a8'), hex('#7a4fd0')]
export const VIOLET: [Colour, Colour, Colour] = [hex('#7dffce'), hex('#4d8fe0'), hex('#c04fb8')]

/** A chain of peaks under the light of the sky, with snow in their flanks. */
export function nightMountains(width: number, height: number, seed: number, far = 0): Raster {
  const noise = gradientNoise(seed)
  const lines = Float32Array.from({ length: width }, (_, x) => {
    const at = x / height
    const peaks = ridged(noise, at * 0.42 + 3, 0.5, 6) * 0.5 + fractal(noise, at * 1.1, 2.5, 5) * 0.55 - 0.42
    return height * (0.62 - far * 0.22 - peaks * (0.62 - far * 0.12))
  })
  const [rock, snow, veil] = [hex('#060d18'), hex('#4f8c96'), hex('#1d4a5c')]
  return shade(width, height, (x, y, out) => {
    const below = y - lines[x]!
    if (below < -1) return put(out, rock, 0)
    put(out, rock, clamp(below + 0.5))
    // Snow lies where the flank looks to the left, and less of it further down.
    const lean = (lines[Math.min(width - 1, x + 3)]! - lines[Math.max(0, x - 3)]!) / 6
    const streaks = ridged(noise, (x / height) * 5 + (y / height) * 3, (y / height) * 4 + seed, 4)
    const white = smooth(0.62, 1.15, streaks - lean * 0.25 - (below / height) * 0.9)
    toward(out, snow, white * (0.5 - far * 0.2))
    toward(out, veil, far * 0.5 + smooth(0.35, 1, y / height) * 0.25)
  })
}

/** Dark lines that lie across the water, to be multiplied with what it reflects. */
export function drawRipples(width: number, height: number, seed: number, depth: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    // Closer to the eye they are longer and further apart.
    const near = 0.3 + (py / height) * 0.8
    const wave = fractal(noise, px / (90 * near), py / (7 * near), 3)
    const value = 1 - depth * clamp(0.5 + wave * 0.8)
    put(out, [value, value, value])
  })
}

export const aurora: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const names = ['sky', 'one', 'two', 'mountains', 'ripples', 'ripples2', 'breath']
    const layers = names.map((name) => path.join(folder, `${name}.png`))
    const [sky, one, two, mountains, ripples, ripples2, breath] = layers as [string, ...string[]] as string[]
    await writeLayer(sky!, nightSky(WIDTH, SHORE, 4))
    const curtains = { width: WIDTH * 2, height: SHORE, repeat: WIDTH }
    await writeLayer(one!, drawCurtains({ ...curtains, seed: 8, edge: 0.6, folds: 2, colours: GREEN }), 1.2)
    await writeLayer(two!, drawCurtains({ ...curtains, seed: 19, edge: 0.42, colours: VIOLET }), 1.2)
    const chain = nightMountains(WIDTH, PEAKS, 31, 1)
    stamp(chain, nightMountains(WIDTH, PEAKS, 36), 0, 0)
    await writeLayer(mountains!, chain)
    const water = HEIGHT - SHORE
    await writeLayer(ripples!, drawRipples(WIDTH + 800, water, 12, 0.75))
    await writeLayer(ripples2!, drawRipples(WIDTH + 800, water, 13, 0.6))
    const noise = gradientNoise(77)
    // Where the curtains are bright now: it passes over them in the other direction.
    const bright = shade(WIDTH * 2, SHORE, (x, y, out) => {
      const value = 0.3 + 0.9 * smooth(-0.5, 0.4, fractal(noise, (x / WIDTH) * 3, y / SHORE, 3, 3))
      put(out, [value, value, value])
    })
    await writeLayer(breath!, bright)
    return {
      layers,
      graph: [
        `${still(0, 'gbrp')}[sky]`,
        `${still(1, 'gbrp')},${window(WIDTH, SHORE, `mod(n,${WIDTH})`)}[one]`,
        `${still(2, 'gbrp')},${window(WIDTH, SHORE, `${WIDTH}-mod(n,${WIDTH})`)}[two]`,
        `${still(6, 'gbrp')},split[breath][breath2]`,
        `[breath]${window(WIDTH, SHORE, `mod(n*3,${WIDTH})`)}[b1]`,
        `[breath2]${window(WIDTH, SHORE, `${WIDTH}-mod(n*2+400,${WIDTH})`)}[b2]`,
        '[one][b1]blend=all_mode=multiply[o]',
        '[two][b2]blend=all_mode=multiply[t]',
        '[o][t]blend=all_mode=screen[lights]',
        '[sky][lights]blend=all_mode=screen[lit]',
        `${still(3)}[mountains]`,
        `[lit][mountains]${over('0', `${SHORE - PEAKS}`)},split[above][mirror]`,
        `[mirror]crop=${WIDTH}:${HEIGHT - SHORE}:0:${SHORE * 2 - HEIGHT},vflip,scale=iw/2:ih/2:flags=area,gblur=sigma=0.7:sigmaV=2.5,scale=iw*2:ih*2:flags=bilinear[still]`,
        `${still(4, 'gbrp')},${window(WIDTH, HEIGHT - SHORE, 'mod(floor(n*0.5),800)')}[r1]`,
        `${still(5, 'gbrp')},${window(WIDTH, HEIGHT - SHORE, '800-mod(n,800)')}[r2]`,
        '[still][r1]blend=all_mode=multiply[w1]',
        '[w1][r2]blend=all_mode=multiply,curves=all=0/0.015 0.5/0.72 1/1[water]',
        `[above][water]vstack,${FINISH}[picture]`,
      ],
      sound:
        "aevalsrc='0.05*sin(2*PI*73.4*t)*(0.7+0.3*sin(0.3*t))+0.035*sin(2*PI*146.8*t+sin(0.2*t))*(0.5+0.5*sin(0.21*t))+0.02*sin(2*PI*293.7*t+2*sin(0.13*t))*(0.5+0.5*sin(0.17*t+2))+0.014*sin(2*PI*440*t+sin(0.31*t))*(0.5+0.5*sin(0.11*t+4))':s=48000,aecho=0.7:0.75:240|610:0.45|0.35[pad];" +
        'anoisesrc=c=pink:a=0.12:s=3,lowpass=f=700,highpass=f=120,tremolo=f=0.1:d=0.6[air];[pad][air]amix=inputs=2:normalize=0[sound]',
    }
  },
}

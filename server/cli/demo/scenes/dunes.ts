import path from 'node:path'
import { add, along, type Colour, hex, mix, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise, type Noise } from '../draw/noise.ts'
import { imageOf, type Raster, shade, writeLayer } from '../draw/raster.ts'
import { type Land, makeLand, renderLand } from '../draw/terrain.ts'
import { crossfade, FINISH, over, type Scene, still, window } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [1280, 720, 32]

/** Light of one hour of a day in the desert. */
export interface DesertLight {
  /** As in terrain.ts: turns from the middle of the view, and how steep. */
  sun: { heading: number; slope: number }
  lit: Colour
  shadow: Colour
  haze: Colour
  sky: [number, Colour][]
}

export const DESERT_DAY: DesertLight[] = [
  {
    sun: { heading: -0.24, slope: 0.16 },
    lit: hex('#f0a070'),
    shadow: hex('#4a3350'),
    haze: hex('#e8b0a0'),
    sky: [
      [0, hex('#4d6796')],
      [0.6, hex('#c9a0a8')],
      [1, hex('#ffd0a6')],
    ],
  },
  {
    sun: { heading: -0.2, slope: 0.42 },
    lit: hex('#f5b878'),
    shadow: hex('#8a5440'),
    haze: hex('#ecd2b4'),
    sky: [
      [0, hex('#2f78b8')],
      [0.6, hex('#92bcd6')],
      [1, hex('#f0dcc0')],
    ],
  },
  {
    sun: { heading: -0.05, slope: 1.25 },
    lit: hex('#ffd092'),
    shadow: hex('#b87a4a'),
    haze: hex('#efdcc0'),
    sky: [
      [0, hex('#2672bd')],
      [0.6, hex('#86b9de')],
      [1, hex('#e6e2d2')],
    ],
  },
  {
    sun: { heading: 0.2, slope: 0.4 },
    lit: hex('#fab264'),
    shadow: hex('#7e4530'),
    haze: hex('#efc596'),
    sky: [
      [0, hex('#35699e')],
      [0.6, hex('#a9b6bd')],
      [1, hex('#ffdba0')],
    ],
  },
  {
    sun: { heading: 0.23, slope: 0.13 },
    lit: hex('#f57f42'),
    shadow: hex('#3f2038'),
    haze: hex('#d8705c'),
    sky: [
      [0, hex('#2b2f66')],
      [0.55, hex('#a85a78')],
      [1, hex('#ff9a5c')],
    ],
  },
]

/** Waves of sand: long on the side of the wind, steep behind a sharp crest. */
export function makeDunes(seed: number, size = 768): Land {
  const noise = gradientNoise(seed)
  const wave = (phase: number) => {
    const part = phase - Math.floor(phase)
    return part < 0.72 ? smooth(0, 1, part / 0.72) ** 1.15 : (1 - (part - 0.72) / 0.28) ** 1.1
  }
  return makeLand(size, (u, v) => {
    const bend = fractal(noise, u * 3, v * 3, 4, 3) * 0.85
    const broad = wave(u * 3 + v * 2 + bend)
    const fine = wave(u * 7 - v * 3 + fractal(noise, u * 5 + 9, v * 5, 3, 5) * 0.9)
    const high = 0.55 + 0.6 * fractal(noise, u * 2, v * 2 + 40, 2, 2)
    return broad * 0.085 * high + fine * 0.012
  })
}

export interface DuneView {
  width: number
  height: number
  land: Land
  eye?: { x: number; z: number; height: number; heading: number }
  horizon?: number
  light: DesertLight
  noise: Noise
}

const EYE = { x: 0.32, z: 0.1, height: 0.125, heading: 0.09 }

export function drawDunes({ width, height, land, eye = EYE, horizon = 0.3, light, noise }: DuneView): Raster {
  return renderLand({
    width,
    height,
    land,
    eye,
    horizon,
    focal: 0.95,
    near: 0.06,
    far: 4,
    sun: light.sun,
    paint(out, { x, z, distance, light: sun, sky }) {
      // Ripples of the wind, which are too fine to be seen from far.
      const close = smooth(1.1, 0.15, distance)
      const ripples = Math.sin((x * 0.8 + z * 1.7 + fractal(noise, x * 14, z * 14, 2) * 0.02) * 620) * close
      const grain = fractal(noise, x * 90, z * 90, 2) * 0.06
      const shine = Math.min(1, Math.max(0, sun * 1.25 + ripples * 0.05 * (0.3 + sun) + grain * (0.4 + sun)))
      put(out, light.shadow)
      add(out, light.sky[0]![1], 0.1 * sky)
      toward(out, light.lit, shine)
      toward(out, light.haze, 1 - Math.exp(-distance * 0.55))
    },
  })
}

export function desertSky(width: number, height: number, stops: [number, Colour][]): Raster {
  return shade(width, height, (_, y, out) => put(out, along(stops, y / height)))
}

/** Thin high clouds; repeats after half of the width. */
function drawCirrus(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  const cells = 3
  return shade(width, height, (px, py, out) => {
    const x = (px / (width / 2)) * cells
    const y = py / height
    const bend = fractal(noise, x, y * 2, 3, cells) * 0.5
    const cloud = smooth(0.02, 0.75, fractal(noise, x + bend, y * 4 + bend * 1.5, 6, cells) + 0.05)
    put(out, [1, 0.97, 0.93], cloud * 0.6 * smooth(1, 0.55, y))
  })
}

/** Shadows of clouds that pass over the sand, to be multiplied. */
function drawCloudShadows(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const near = 0.2 + (py / height) * 1.4
    const cloud = smooth(0.02, 0.6, fractal(noise, px / (620 * near), py / (95 * near) + 3, 3))
    const value = 1 - cloud * 0.34 * smooth(0.22, 0.5, py / height)
    put(out, [value, mix(1, value, 0.92), mix(1, value, 0.8)])
  })
}

/** Sand that the wind carries close to the ground. */
function drawBlownSand(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const streak = fractal(noise, px / 300, py / 22, 5)
    const band = smooth(0, 0.4, py / height) * smooth(1, 0.6, py / height)
    put(out, hex('#ffe0b0'), smooth(0.05, 0.8, streak) * band * 0.3)
  })
}

export const dunes: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const hours = DESERT_DAY.map((_, i) => i)
    const names = [
      ...hours.map((i) => `sky${i}`),
      ...hours.map((i) => `land${i}`),
      'cirrus',
      'shadows',
      'sand',
    ]
    const layers = names.map((name) => path.join(folder, `${name}.png`))
    const at = (name: string) => layers[names.indexOf(name)]!
    const [land, noise] = [makeDunes(15), gradientNoise(16)]
    for (const [i, light] of DESERT_DAY.entries()) {
      await writeLayer(at(`sky${i}`), desertSky(WIDTH, HEIGHT / 2, light.sky))
      const large = drawDunes({ width: WIDTH * 1.25, height: HEIGHT * 1.25, land, light, noise })
      await imageOf(large)
        .resize(WIDTH, HEIGHT)
        .png({ compressionLevel: 1 })
        .toFile(at(`land${i}`))
    }
    await writeLayer(at('cirrus'), drawCirrus(WIDTH * 2, 260, 17))
    await writeLayer(at('shadows'), drawCloudShadows(WIDTH + SECONDS * 24 * 2, HEIGHT, 18), 6)
    await writeLayer(at('sand'), drawBlownSand(WIDTH + SECONDS * 24 * 6, 260, 19), 2)
    const each = (SECONDS - 1) / (hours.length - 1)
    const last = hours.length * 2
    return {
      layers,
      graph: [
        ...hours.map((i) => `${still(i, 'gbrp')}[sky${i}]`),
        ...hours.map((i) => `${still(i + hours.length)}[land${i}]`),
        ...crossfade(
          hours.map((i) => `sky${i}`),
          each,
          'sky',
        ),
        ...crossfade(
          hours.map((i) => `land${i}`),
          each,
          'land',
        ),
        `${still(last)},${window(WIDTH, 260, `mod(n,${WIDTH})`)}[cirrus]`,
        `[sky][cirrus]${over()},pad=${WIDTH}:${HEIGHT}[above]`,
        // Shadows lie on the land only, so the land is shaded before it comes over the sky.
        '[land]split[colours][shape]',
        '[shape]alphaextract[mask]',
        `${still(last + 1, 'gbrp')},${window(WIDTH, HEIGHT, 'n*2')}[shadows]`,
        '[colours]format=gbrp[c]',
        '[c][shadows]blend=all_mode=multiply[shaded]',
        '[shaded][mask]alphamerge,format=gbrap[ground]',
        `[above][ground]${over()}[p]`,
        `${still(last + 2)},${window(WIDTH, 260, 'n*6')}[sand]`,
        `[p][sand]${over('0', `${HEIGHT - 280}`)},${FINISH}[picture]`,
      ],
      sound:
        'anoisesrc=c=pink:a=0.45:s=13,bandpass=f=420:w=380,tremolo=f=0.13:d=0.75[wind];' +
        'anoisesrc=c=white:a=0.05:s=14,highpass=f=3000,tremolo=f=0.31:d=0.8[sand];' +
        "aevalsrc='0.045*sin(2*PI*87.3*t)*(0.6+0.4*sin(0.25*t))+0.03*sin(2*PI*130.8*t)*(0.5+0.5*sin(0.19*t+1))':s=48000,aecho=0.7:0.7:200|500:0.4|0.3[pad];" +
        '[wind][sand][pad]amix=inputs=3:normalize=0[sound]',
    }
  },
}

import path from 'node:path'
import { add, along, type Colour, clamp, hex, mix, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { type Raster, shade, writeLayer, writeTrimmed } from '../draw/raster.ts'
import { drawFir } from './firs.ts'
import { FINISH, over, RATE, type Scene, still } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [1280, 720, 26]
const FRAMES = SECONDS * RATE

const DUSK: [number, Colour][] = [
  [0, hex('#1f2350')],
  [0.25, hex('#4a3a74')],
  [0.45, hex('#a85a7c')],
  [0.58, hex('#ee8f6d')],
  [0.68, hex('#ffcf95')],
  [1, hex('#ffe2b8')],
]

export interface DuskSky {
  width: number
  height: number
  /** Where the sun has just gone down, as parts of width and height. */
  sun: [number, number]
  seed: number
  stops?: [number, Colour][]
}

/** The sky after sunset, with bands of cloud that are lit from below. */
export function duskSky({ width, height, sun, seed, stops = DUSK }: DuskSky): Raster {
  const noise = gradientNoise(seed)
  const [warm, lit] = [hex('#ffb27a'), hex('#ff9c78')]
  return shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    put(out, along(stops, y))
    const away = Math.hypot((x - (sun[0] * width) / height) * 0.7, (y - sun[1]) * 1.6)
    add(out, warm, 0.55 * Math.exp(-away * 5) + 0.3 * Math.exp(-away * 1.6))
    const bend = fractal(noise, x * 1.3, y * 3, 3) * 0.25
    const cloud = smooth(0.05, 0.55, fractal(noise, x * 1.1 + bend, y * 7.5 + bend * 2, 6) + 0.12)
    const thin = cloud * smooth(0.02, 0.2, y) * smooth(0.72, 0.45, y)
    const glow = Math.exp(-away * 1.9)
    toward(out, [mix(0.24, lit[0], glow), mix(0.17, lit[1], glow), mix(0.36, lit[2], glow)], thin * 0.75)
  })
}

export interface Ridge {
  /** Where its line is, as a part of the height, and how far it goes up and down. */
  line: number
  relief: number
  detail: number
  colour: Colour
  haze: Colour
  seed: number
  /** How many firs there are in a thousand pixels, and how high they are. */
  firs?: [number, number]
}

/** A ridge with what lies in front of it, which goes over into haze. */
export function drawRidge(width: number, height: number, ridge: Ridge): Raster {
  const noise = gradientNoise(ridge.seed)
  const random = seeded(ridge.seed)
  const lines = Float32Array.from({ length: width }, (_, x) => {
    const wide = fractal(noise, (x / height) * ridge.detail, 3.7, 7)
    return (ridge.line - ridge.relief * wide) * height
  })
  const raster = shade(width, height, (x, y, out) => {
    const below = y - lines[x]!
    if (below < -1) return put(out, ridge.colour, 0)
    put(out, ridge.colour, clamp(below + 0.5))
    const shadow = fractal(noise, (x / height) * 6, (y / height) * 9 + 20, 4) * 0.05
    toward(out, ridge.haze, clamp(smooth(0, 0.42 * height, below) * 0.85 + shadow))
  })
  const [density, tall] = ridge.firs ?? [0, 0]
  for (let i = 0; i < (density * width) / 1000; i++) {
    const x = random() * width
    const foot = lines[Math.floor(x)]! + 2 + random() ** 2 * tall * 1.6
    const size = tall * (0.45 + random() * 0.75)
    const shadeOf = 0.75 + random() * 0.35
    const colour = ridge.colour.map((c) => c * shadeOf) as unknown as Colour
    drawFir(raster, { x, foot, tall: size, colour }, random)
  }
  return raster
}

/** Mist in a valley: thick below its upper edge, and torn. */
export function drawMist(width: number, height: number, line: number, colour: Colour, seed: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    const density = fractal(noise, x * 1.6, y * 5, 5)
    const band = Math.exp(-(((y - line) / 0.075) ** 2))
    put(out, colour, clamp(band * (0.55 + density * 0.9)) * 0.8)
  })
}

/** Far to near: how many pixels each goes by in a frame. */
const RIDGES: (Ridge & { pace: number })[] = [
  { line: 0.6, relief: 0.1, detail: 0.9, colour: hex('#c2838a'), haze: hex('#f3b596'), seed: 11, pace: 0.25 },
  { line: 0.66, relief: 0.1, detail: 1.1, colour: hex('#93667f'), haze: hex('#d99a90'), seed: 23, pace: 0.5 },
  {
    line: 0.73,
    relief: 0.1,
    detail: 1.0,
    colour: hex('#624a6d'),
    haze: hex('#b27c83'),
    seed: 37,
    pace: 1,
    firs: [60, 16],
  },
  {
    line: 0.83,
    relief: 0.12,
    detail: 0.8,
    colour: hex('#362d50'),
    haze: hex('#7d5a72'),
    seed: 53,
    pace: 2,
    firs: [80, 44],
  },
  {
    line: 0.97,
    relief: 0.12,
    detail: 0.7,
    colour: hex('#12122a'),
    haze: hex('#2b2344'),
    seed: 71,
    pace: 4,
    firs: [46, 150],
  },
]

export const hills: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const layers = ['sky', ...RIDGES.map((_, i) => `ridge${i}`), 'mist0', 'mist1'].map((name) =>
      path.join(folder, `${name}.png`),
    )
    const mists = [
      { line: 0.7, colour: hex('#f0b59c'), seed: 5, pace: 0.75 },
      { line: 0.83, colour: hex('#a77a8a'), seed: 6, pace: 1.5 },
    ]
    await writeLayer(layers[0]!, duskSky({ width: WIDTH, height: HEIGHT, sun: [0.66, 0.6], seed: 3 }))
    const tops = [0]
    for (const ridge of RIDGES) {
      const raster = drawRidge(WIDTH + Math.ceil(FRAMES * ridge.pace), HEIGHT, ridge)
      tops.push(await writeTrimmed(layers[tops.length]!, raster))
    }
    for (const { line, colour, seed, pace } of mists) {
      const raster = drawMist(WIDTH + Math.ceil(FRAMES * pace), HEIGHT, line, colour, seed)
      tops.push(await writeTrimmed(layers[tops.length]!, raster))
    }
    const order = [1, 2, 6, 3, 7, 4, 5]
    const paces = [0, ...RIDGES.map(({ pace }) => pace), ...mists.map(({ pace }) => pace)]
    return {
      layers,
      graph: [
        `${still(0, 'yuv444p')}[p0]`,
        ...order.map((input) => `${still(input, 'yuva444p')}[l${input}]`),
        ...order.map((input, i) => {
          const moved = over(`-floor(n*${paces[input]})`, String(tops[input]), 'yuv444')
          return `[p${i}][l${input}]${moved}[p${i + 1}]`
        }),
        `[p${order.length}]${FINISH}[picture]`,
      ],
      sound:
        'anoisesrc=c=brown:a=0.5:s=7,lowpass=f=320,tremolo=f=0.12:d=0.5,volume=0.5[wind];' +
        "aevalsrc='0.05*sin(2*PI*110*t)*(0.6+0.4*sin(0.5*t))+0.04*sin(2*PI*164.8*t)*(0.5+0.5*sin(0.37*t+1))+0.03*sin(2*PI*220*t)*(0.5+0.5*sin(0.29*t+2))':s=48000,aecho=0.7:0.7:120|310:0.4|0.3[pad];" +
        '[wind][pad]amix=inputs=2:normalize=0[sound]',
    }
  },
}

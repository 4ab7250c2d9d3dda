import path from 'node:path'
import { add, along, type Colour, hex, mix, put, smooth } from '../draw/colour.ts'
import { fractal, gradientNoise } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { glow, type Raster, shade, writeLayer } from '../draw/raster.ts'
import { drawRipples } from './aurora.ts'
import { crossfade, FINISH, over, type Scene, still, window } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [1280, 720, 28]
/** The row of the quay. */
const QUAY = 480

/** How late it is, from 0 (just after sunset) to 1 (night). */
type Hour = number

const SKIES: [[number, Colour][], [number, Colour][]] = [
  [
    [0, hex('#2c3f74')],
    [0.45, hex('#7a6aa0')],
    [0.75, hex('#e08f86')],
    [1, hex('#ffc68f')],
  ],
  [
    [0, hex('#050816')],
    [0.5, hex('#0c1530')],
    [0.85, hex('#22264a')],
    [1, hex('#4a3a52')],
  ],
]

export function citySky(width: number, height: number, hour: Hour, seed: number): Raster {
  const noise = gradientNoise(seed)
  const raster = shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    const [dusk, night] = [along(SKIES[0], y), along(SKIES[1], y)]
    put(out, [0, 1, 2].map((c) => mix(dusk[c]!, night[c]!, smooth(0, 1, hour))) as unknown as Colour)
    const cloud = smooth(0.05, 0.6, fractal(noise, x * 1.5, y * 5, 5) + 0.05)
    const lit: Colour = hour < 0.5 ? [0.95, 0.6, 0.55] : [0.3, 0.24, 0.3]
    add(out, lit, cloud * mix(0.16, 0.09, hour) * smooth(0.1, 0.8, y))
  })
  const random = seeded(seed)
  for (let i = 0; i < 260; i++) {
    const [x, y, brightness] = [random() * width, random() * height * 0.7, random() ** 4]
    const strength = (0.15 + brightness * 0.6) * smooth(0.55, 1, hour)
    if (strength > 0) glow(raster, { x, y, radius: 1 + brightness, colour: [0.9, 0.93, 1], strength })
  }
  return raster
}

interface Tower {
  left: number
  width: number
  top: number
  seed: number
}

interface Skyline {
  width: number
  height: number
  seed: number
  /** Of the towers, as parts of the height. */
  lowest: number
  highest: number
  /** How wide they are, in pixels. */
  breadth: number
  wall: Colour
  /** Windows that are lit, as a part of all. */
  lit: number
  /** The size of a window with its wall, in pixels. */
  cell: number
}

const LAMPS: Colour[] = [hex('#ffd99a'), hex('#ffc070'), hex('#fff1d0'), hex('#cfe6ff'), hex('#ffe2b0')]

/** Towers side by side and behind each other, with their windows. */
function drawSkyline(skyline: Skyline): Raster {
  const { width, height, breadth, wall, cell } = skyline
  const random = seeded(skyline.seed)
  const towers: Tower[] = []
  for (let x = -breadth; x < width; x += breadth * (0.35 + random() * 0.75)) {
    // Higher in the middle of the town, and now and then much higher.
    const middle = Math.exp(-(((x / width - 0.56) / 0.3) ** 2))
    const tall = mix(skyline.lowest, skyline.highest, random() ** 1.6 * (0.3 + 0.7 * middle) + middle * 0.12)
    towers.push({
      left: Math.round(x),
      width: Math.round((breadth * (0.5 + random() * 0.8)) / cell) * cell,
      top: Math.round(height * (1 - tall)),
      seed: Math.floor(random() * 1e9),
    })
  }
  const raster = shade(width, height, (_, __, out) => put(out, wall, 0))
  for (const tower of towers.toSorted((a, b) => a.top - b.top)) drawTower(raster, tower, skyline)
  return raster
}

function drawTower(raster: Raster, tower: Tower, { wall, lit, cell }: Skyline): void {
  const random = seeded(tower.seed)
  const tone = 0.75 + random() * 0.5
  const top = tower.top
  const floors = Math.ceil((raster.height - top) / cell)
  const columns = Math.max(1, Math.floor(tower.width / cell))
  const rim = random() < 0.3
  // The same windows are lit earlier and later, and more of them later.
  const lamps = Array.from({ length: floors * columns }, () => ({
    isLit: random() < lit * 1.1 - 0.05,
    lamp: LAMPS[Math.floor(random() * LAMPS.length)]!,
    strength: 0.45 + random() * 0.55,
  }))
  for (let y = top; y < raster.height; y++)
    for (let x = Math.max(0, tower.left); x < Math.min(raster.width, tower.left + tower.width); x++) {
      const i = (y * raster.width + x) * 4
      const side = 1 - 0.35 * ((x - tower.left) / tower.width)
      let colour: Colour = [wall[0] * tone * side, wall[1] * tone * side, wall[2] * tone * side]
      const [u, v] = [(x - tower.left) % cell, (y - top) % cell]
      const { isLit, lamp, strength } =
        lamps[
          Math.floor((y - top) / cell) * columns + Math.min(columns - 1, Math.floor((x - tower.left) / cell))
        ]!
      const isWindow = u >= 1 && u < cell - 1 && v >= cell * 0.3 && v < cell - 1 && y - top > cell
      if (isWindow && isLit) colour = lamp.map((c) => c * strength) as unknown as Colour
      else if (isWindow) colour = [colour[0] * 0.8, colour[1] * 0.85, colour[2] * 0.95]
      if (rim && y - top < 2) colour = [0.75, 0.55, 0.45]
      for (let c = 0; c < 3; c++) raster.data[i + c] = colour[c]! * 255
      raster.data[i + 3] = 255
    }
}

/** The town at an hour: far towers in the haze, near ones before them. */
export function drawTown(width: number, height: number, hour: Hour): Raster {
  const haze = hour < 0.5 ? hex('#6d5f8c') : hex('#1c2444')
  const near = hour < 0.5 ? hex('#2b2a4a') : hex('#0a0d1c')
  const lit = mix(0.12, 0.62, hour)
  const far = drawSkyline({
    width,
    height,
    seed: 5,
    lowest: 0.16,
    highest: 0.7,
    breadth: 52,
    wall: haze,
    lit: lit * 0.7,
    cell: 5,
  })
  const front = drawSkyline({
    width,
    height,
    seed: 9,
    lowest: 0.08,
    highest: 0.5,
    breadth: 84,
    wall: near,
    lit,
    cell: 8,
  })
  for (let i = 0; i < front.data.length; i += 4)
    if (front.data[i + 3] === 0) for (let c = 0; c < 4; c++) front.data[i + c] = far.data[i + c]!
  const random = seeded(12)
  for (let x = 6; x < width; x += 26 + random() * 10) {
    const y = height - 7
    glow(front, { x, y, radius: 22, colour: [1, 0.72, 0.4], strength: mix(0.25, 0.75, hour) })
    glow(front, { x, y, radius: 5, colour: [1, 0.95, 0.8], strength: 1.2 })
  }
  return front
}

/** Lights of cars on the quay, on black; repeats after half of the width. */
function drawTraffic(width: number, colour: Colour, seed: number): Raster {
  const random = seeded(seed)
  const raster = shade(width, 28, (_, __, out) => put(out, [0, 0, 0]))
  for (let x = 0; x < width / 2; x += 30 + random() ** 2 * 180)
    for (const at of [x, x + 5, x + width / 2, x + 5 + width / 2]) {
      glow(raster, { x: at, y: 14, radius: 10, colour, strength: 0.5 })
      glow(raster, { x: at, y: 14, radius: 3, colour: [1, 1, 1], strength: 0.7 })
    }
  return raster
}

/** A boat with its lamps, seen from the side. */
function drawBoat(): Raster {
  const raster = shade(170, 46, (x, y, out) => {
    const hull = y > 30 && y < 42 && x > 8 + (y - 30) * 1.1 && x < 160 - (y - 30) * 1.6
    const cabin = y > 16 && y <= 30 && x > 36 && x < 128 - (30 - y) * 0.8
    const mast = x > 78 && x < 81 && y > 2 && y <= 16
    put(out, [0.05, 0.055, 0.085], hull || cabin || mast ? 1 : 0)
    if (cabin && y > 19 && y < 27 && x % 11 > 2) put(out, [1, 0.84, 0.56])
    if (hull && y < 32) put(out, [0.35, 0.33, 0.36])
  })
  return raster
}

const HOURS = [0, 0.5, 1]

export const city: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const names = [
      'sky0',
      'sky1',
      'sky2',
      'town0',
      'town1',
      'town2',
      'white',
      'red',
      'boat',
      'ripples',
      'ripples2',
    ]
    const layers = names.map((name) => path.join(folder, `${name}.png`))
    const at = (name: string) => layers[names.indexOf(name)]!
    for (const [i, hour] of HOURS.entries()) {
      await writeLayer(at(`sky${i}`), citySky(WIDTH, QUAY, hour, 21))
      await writeLayer(at(`town${i}`), drawTown(WIDTH, 400, hour))
    }
    await writeLayer(at('white'), drawTraffic(WIDTH * 2, [1, 0.9, 0.7], 3))
    await writeLayer(at('red'), drawTraffic(WIDTH * 2, [1, 0.15, 0.08], 4))
    await writeLayer(at('boat'), drawBoat())
    const water = HEIGHT - QUAY
    await writeLayer(at('ripples'), drawRipples(WIDTH + 800, water, 12, 0.85))
    await writeLayer(at('ripples2'), drawRipples(WIDTH + 800, water, 14, 0.7))
    const each = SECONDS / 2 - 1
    return {
      layers,
      graph: [
        ...[0, 1, 2].map((i) => `${still(i, 'gbrp')}[sky${i}]`),
        ...[3, 4, 5].map((i) => `${still(i)}[town${i - 3}]`),
        ...crossfade(['sky0', 'sky1', 'sky2'], each, 'sky'),
        ...crossfade(['town0', 'town1', 'town2'], each, 'town'),
        `[sky][town]${over('0', `${QUAY - 400}`)}[p]`,
        `${still(6, 'gbrp')},${window(WIDTH, 28, `mod(n*3,${WIDTH})`)}[white]`,
        `${still(7, 'gbrp')},${window(WIDTH, 28, `${WIDTH}-mod(n*2,${WIDTH})`)}[red]`,
        `[white][red]blend=all_mode=screen,pad=${WIDTH}:${QUAY}:0:${QUAY - 30}[cars]`,
        '[p][cars]blend=all_mode=screen,split[above][mirror]',
        `[mirror]crop=${WIDTH}:${HEIGHT - QUAY}:0:${QUAY * 2 - HEIGHT},vflip,scale=iw/2:ih/2:flags=area,gblur=sigma=0.8:sigmaV=4,scale=iw*2:ih*2:flags=bilinear[still]`,
        `${still(9, 'gbrp')},${window(WIDTH, HEIGHT - QUAY, 'mod(n,800)')}[r1]`,
        `${still(10, 'gbrp')},${window(WIDTH, HEIGHT - QUAY, '800-mod(n*2,800)')}[r2]`,
        '[still][r1]blend=all_mode=multiply[w1]',
        "[w1][r2]blend=all_mode=multiply,curves=r='0/0.01 0.4/0.62 1/1':g='0/0.015 0.4/0.62 1/1':b='0/0.04 0.4/0.68 1/1'[water]",
        '[above][water]vstack[scene]',
        `${still(8)}[boat]`,
        `[scene][boat]${over('-260+n*2', `${QUAY + 46}+2*sin(t*1.7)`)},${FINISH}[picture]`,
      ],
      sound:
        'anoisesrc=c=brown:a=0.6:s=5,lowpass=f=260,highpass=f=40,tremolo=f=0.15:d=0.35[hum];' +
        'anoisesrc=c=pink:a=0.2:s=9,bandpass=f=700:w=500,tremolo=f=0.22:d=0.8,volume=0.5[lap];' +
        "aevalsrc='0.035*sin(2*PI*130.8*t)*(0.5+0.5*sin(0.4*t))+0.03*sin(2*PI*196*t)*(0.5+0.5*sin(0.31*t+1))+0.02*sin(2*PI*329.6*t)*(0.5+0.5*sin(0.23*t+2))':s=48000,aecho=0.7:0.7:150|380:0.45|0.3[pad];" +
        '[hum][lap][pad]amix=inputs=3:normalize=0[sound]',
    }
  },
}

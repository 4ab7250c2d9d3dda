import path from 'node:path'
import { type Colour, clamp, hex, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { glow, type Raster, shade, writeLayer } from '../draw/raster.ts'
import { crossfade, FINISH, over, type Scene, still, window } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [720, 1280, 22]

const LIGHTS: Colour[] = [
  hex('#ffb45a'),
  hex('#ff8a3c'),
  hex('#ffd9a0'),
  hex('#ff4a3a'),
  hex('#6ac8ff'),
  hex('#ff6aa8'),
  hex('#8affc8'),
]

/** A street at night, out of focus: discs of light over a dark ground. `turn` has some of them go on and off. */
export function drawBokeh(width: number, height: number, seed: number, turn: number): Raster {
  const noise = gradientNoise(seed)
  const random = seeded(seed)
  const raster = shade(width, height, (px, py, out) => {
    const [x, y] = [px / width, py / height]
    put(out, [0.05, 0.06, 0.1])
    const haze = fractal(noise, x * 2, y * 3, 3) * 0.5 + 0.5
    toward(out, [0.42, 0.23, 0.19], haze * smooth(0.15, 0.5, y) * smooth(0.95, 0.6, y) * 0.9)
    toward(out, [0.09, 0.13, 0.23], smooth(0.5, 0, y) * 0.8)
  })
  const unit = Math.min(width, height)
  for (let i = 0; i < 130; i++) {
    const depth = random()
    const radius = unit * (0.014 + depth ** 2.6 * 0.075)
    const x = random() * width
    const y = height * (0.5 + (random() + random() - 1) * 0.42)
    const colour = LIGHTS[Math.floor(random() ** 1.9 * LIGHTS.length)]!
    const phase = random()
    const strength =
      (0.22 + random() * 0.38) * (0.25 + 0.75 * smooth(-0.4, 0.6, Math.cos((phase + turn) * Math.PI * 2)))
    disc(raster, x, y, radius, colour, strength)
  }
  return raster
}

/** As a lens draws a point that is out of focus: even, with a brighter edge. */
function disc(onto: Raster, cx: number, cy: number, radius: number, colour: Colour, strength: number): void {
  for (let y = Math.max(0, Math.floor(cy - radius)); y < Math.min(onto.height, cy + radius + 1); y++)
    for (let x = Math.max(0, Math.floor(cx - radius)); x < Math.min(onto.width, cx + radius + 1); x++) {
      const at = Math.hypot(x - cx, y - cy) / radius
      if (at > 1) continue
      const light = strength * (0.75 + 0.45 * smooth(0.75, 0.97, at)) * smooth(1, 0.95, at) * 255
      const i = (y * onto.width + x) * 4
      for (let c = 0; c < 3; c++) onto.data[i + c] = onto.data[i + c]! + colour[c]! * light
    }
}

/** One drop: it shows what is behind the glass upside down, with a dark rim above and a light one below. */
function drawDrop(
  onto: Raster,
  behind: Raster,
  drop: { x: number; y: number; r: number; squeeze: number },
): void {
  const { x: cx, y: cy, r, squeeze } = drop
  const tall = r * squeeze
  for (let y = Math.max(0, Math.floor(cy - tall)); y < Math.min(onto.height, cy + tall + 1); y++)
    for (let x = Math.max(0, Math.floor(cx - r)); x < Math.min(onto.width, cx + r + 1); x++) {
      const [u, v] = [(x - cx) / r, (y - cy) / tall]
      const at = Math.hypot(u, v)
      if (at > 1) continue
      const sourceX = Math.floor(clamp(0.25 + (cx / onto.width) * 0.5 - u * 0.3) * (behind.width - 1))
      const sourceY = Math.floor(clamp(0.4 + (cy / onto.height) * 0.2 - v * 0.24) * (behind.height - 1))
      const from = (sourceY * behind.width + sourceX) * 4
      const shadow = 0.7 + 1.0 * smooth(-0.8, 0.9, v)
      const spark = Math.exp(-(((u + 0.32) / 0.15) ** 2) - ((v + 0.42) / 0.13) ** 2) * (r > 4 ? 150 : 50)
      const rim = smooth(0.78, 1, at) * smooth(0.1, 0.9, v) * 46
      const edge = 1 - 0.35 * smooth(0.8, 1, at) * smooth(0.4, -0.6, v)
      const i = (y * onto.width + x) * 4
      for (let c = 0; c < 3; c++)
        onto.data[i + c] = (behind.data[from + c]! + 16) * shadow * edge + spark + rim
      onto.data[i + 3] = Math.max(onto.data[i + 3]!, smooth(1, 0.86, at) * 255)
    }
}

/** Drops that cling to a pane: many small ones, few large ones. */
export function drawDrops(
  behind: Raster,
  width: number,
  height: number,
  seed: number,
  count: number,
): Raster {
  const random = seeded(seed)
  const raster = shade(width, height, (_, __, out) => put(out, [0, 0, 0], 0))
  const unit = Math.min(width, height) / 720
  for (let i = 0; i < count; i++) {
    const r = (1.1 + random() ** 7 * 17 + (i < count * 0.02 ? random() * 8 : 0)) * unit
    drawDrop(raster, behind, {
      x: random() * width,
      y: random() * height,
      r,
      squeeze: 0.95 + random() * 0.25,
    })
  }
  return raster
}

/** A drop that runs down, with the wet track above it. */
function drawRunner(behind: Raster, r: number, track: number, seed: number): Raster {
  const random = seeded(seed)
  const [width, height] = [Math.ceil(r * 3), Math.ceil(track + r * 3)]
  const raster = shade(width, height, (x, y, out) => {
    const along = y / track
    const wind = Math.sin(y / 37 + seed) * r * 0.16
    const near = Math.abs(x - width / 2 - wind) / (r * 0.55)
    put(out, [0.62, 0.66, 0.74], y < track ? smooth(1, 0.5, near) * 0.1 * along ** 1.5 : 0)
  })
  for (let i = 0; i < 14; i++) {
    const y = random() ** 0.6 * track
    const x = width / 2 + Math.sin(y / 37 + seed) * r * 0.16
    drawDrop(raster, behind, { x, y, r: r * (0.1 + random() * 0.22), squeeze: 1.1 })
  }
  drawDrop(raster, behind, { x: width / 2, y: track + r, r, squeeze: 1.25 })
  return raster
}

/** Fine slanted lines of rain in front of the lights, on black; repeats downward after half of the height. */
function drawRainfall(width: number, height: number, seed: number): Raster {
  const random = seeded(seed)
  const raster = shade(width, height, (_, __, out) => put(out, [0, 0, 0]))
  for (let i = 0; i < 420; i++) {
    const [x, y, length] = [random() * width, (random() * height) / 2, 24 + random() * 60]
    const light = 8 + random() * 22
    for (let step = 0; step < length; step++) {
      const column = Math.floor(x - step * 0.12)
      if (column < 0) continue
      const fade = Math.sin((step / length) * Math.PI) * light
      for (const row of [y + step, y + step + height / 2]) {
        const i4 = ((Math.floor(row) % height) * width + column) * 4
        for (let c = 0; c < 3; c++) raster.data[i4 + c] = raster.data[i4 + c]! + fade
      }
    }
  }
  return raster
}

/** Where each runs, how fast, and when it holds on for a moment. */
const RUNNERS = [
  { r: 13, track: 330, x: 120, y: '-420+70*t+46*sin(t*0.9)' },
  { r: 10, track: 260, x: 300, y: '-900+84*t+60*sin(t*0.7+1)' },
  { r: 15, track: 420, x: 470, y: '-260+58*t+50*sin(t*0.8+2)' },
  { r: 9, track: 240, x: 610, y: '-1300+96*t+64*sin(t*0.6+3)' },
  { r: 12, track: 300, x: 205, y: '-1500+88*t+58*sin(t*0.75+4)' },
]

export const rain: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const turns = [0, 0.25, 0.5, 0.75, 1]
    const runners = RUNNERS.map((_, i) => `runner${i}`)
    const names = [...turns.map((_, i) => `street${i}`), 'drops', 'rainfall', 'car', 'car2', ...runners]
    const layers = names.map((name) => path.join(folder, `${name}.png`))
    const at = (name: string) => layers[names.indexOf(name)]!
    const input = (name: string) => names.indexOf(name)
    for (const [i, turn] of turns.entries())
      await writeLayer(at(`street${i}`), drawBokeh(WIDTH, HEIGHT, 7, turn), 2.5)
    const behind = drawBokeh(WIDTH, HEIGHT, 7, 0.1)
    await writeLayer(at('drops'), drawDrops(behind, WIDTH, HEIGHT, 9, 2600))
    await writeLayer(at('rainfall'), drawRainfall(WIDTH, HEIGHT * 2, 10), 0.6)
    for (const [name, colour] of [
      ['car', LIGHTS[2]!],
      ['car2', LIGHTS[3]!],
    ] as const) {
      const lamps = shade(260, 130, (_, __, out) => put(out, [0, 0, 0]))
      for (const x of [75, 175]) disc(lamps, x, 65, 52, colour, 0.55)
      for (const x of [75, 175]) glow(lamps, { x, y: 65, radius: 64, colour, strength: 0.2 })
      await writeLayer(at(name), lamps, 2)
    }
    for (const [i, { r, track }] of RUNNERS.entries())
      await writeLayer(at(`runner${i}`), drawRunner(behind, r, track, 20 + i))
    const cars = (name: string, x: string, y: number) =>
      `color=black:s=${WIDTH}x${HEIGHT}:r=24,format=gbrp[${name}night];${still(input(name))}[${name}];[${name}night][${name}]${over(x, String(y))}[${name}s]`
    return {
      layers,
      graph: [
        ...turns.map((_, i) => `${still(i, 'gbrp')}[street${i}]`),
        ...crossfade(
          turns.map((_, i) => `street${i}`),
          (SECONDS - 1) / 4,
          'street',
        ),
        cars('car', '-300+mod(n*4,1500)', 700),
        cars('car2', '800-mod(n*3+500,1500)', 760),
        '[cars][car2s]blend=all_mode=screen[traffic]',
        '[street][traffic]blend=all_mode=screen[lit]',
        `${still(input('rainfall'), 'gbrp')},${window(WIDTH, HEIGHT, '0', `${HEIGHT}-mod(n*37,${HEIGHT})`)}[fall]`,
        '[lit][fall]blend=all_mode=screen[outside]',
        `${still(input('drops'))}[drops]`,
        `[outside][drops]${over()}[p0]`,
        ...RUNNERS.flatMap(({ x, y }, i) => [
          `${still(input(`runner${i}`))}[runner${i}]`,
          `[p${i}][runner${i}]${over(String(x), y)}[p${i + 1}]`,
        ]),
        `[p${RUNNERS.length}]${FINISH}[picture]`,
      ],
      sound:
        'anoisesrc=c=pink:a=0.32:s=17,highpass=f=500,lowpass=f=6000,tremolo=f=0.17:d=0.25[rain];' +
        'anoisesrc=c=brown:a=0.4:s=18,lowpass=f=200[street];' +
        "aevalsrc='0.03*sin(2*PI*123.5*t)*(0.5+0.5*sin(0.45*t))+0.025*sin(2*PI*185*t)*(0.5+0.5*sin(0.37*t+1))':s=48000,aecho=0.7:0.7:130|340:0.4|0.3[pad];" +
        '[rain][street][pad]amix=inputs=3:normalize=0[sound]',
    }
  },
}

import path from 'node:path'
import { add, along, type Colour, clamp, hex, put, smooth, toward } from '../draw/colour.ts'
import { fractal, gradientNoise, ridged } from '../draw/noise.ts'
import { seeded } from '../draw/random.ts'
import { glow, type Raster, shade, writeLayer } from '../draw/raster.ts'
import { FINISH, over, type Scene, still, window } from './scene.ts'

const [WIDTH, HEIGHT, SECONDS] = [1280, 720, 24]

const DEEP: [number, Colour][] = [
  [0, hex('#4fb8c0')],
  [0.1, hex('#2a93ab')],
  [0.4, hex('#0f5f86')],
  [0.75, hex('#08355a')],
  [1, hex('#051f3a')],
]

/** The water itself, brightest under the surface, over a bed of sand and stones. */
export function drawSea(width: number, height: number, seed: number, bed = 0.8): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const [x, y] = [px / height, py / height]
    put(out, along(DEEP, y))
    const surface = fractal(noise, x * 6, y * 30, 3) * smooth(0.16, 0, y)
    add(out, [0.7, 0.9, 0.85], clamp(surface) * 0.5)
    const middle = (width / height) * 0.55
    add(out, [0.5, 0.75, 0.7], 0.42 * Math.exp(-(((x - middle) * 1.1) ** 2) - ((y + 0.05) * 3.2) ** 2))
    const ground = bed + fractal(noise, x * 1.4, 5, 5) * 0.06
    if (y < ground) return
    const down = (y - ground) / (1 - ground + 0.05)
    const stones = fractal(noise, x * 26, (y * 60) / (0.4 + down), 4)
    const sand = 0.34 + stones * 0.14 + down * 0.08
    toward(out, [sand * 0.5, sand * 0.95, sand], smooth(0, 0.08, down) * 0.75)
  })
}

/** Beams that fall at a slant, on black. The pattern repeats after `repeat` pixels. */
export function drawBeams(
  width: number,
  height: number,
  repeat: number,
  slant: number,
  seed: number,
): Raster {
  const noise = gradientNoise(seed)
  const cells = 9
  return shade(width, height, (px, py, out) => {
    const x = ((px + py * slant) / repeat) * cells
    const beam = smooth(-0.12, 0.6, fractal(noise, x, 0.3 + py / height / 3, 3, cells))
    const fade = smooth(0.98, 0.05, py / height) * (0.55 + 0.45 * smooth(0, 0.2, py / height))
    const light = beam * fade
    put(out, [light * 0.62, light * 0.98, light * 0.95])
  })
}

/** The net of light on a sea bed, in perspective, on black. */
export function drawCaustics(width: number, height: number, seed: number): Raster {
  const noise = gradientNoise(seed)
  return shade(width, height, (px, py, out) => {
    const near = 0.25 + (py / height) * 0.9
    const net = ridged(noise, (px - width / 2) / (95 * near), py / (28 * near), 2)
    const light = clamp((net - 0.78) * 2.4) * smooth(0.02, 0.7, py / height)
    put(out, [light * 0.62, light * 0.95, light * 0.9])
  })
}

/** Specks that drift, on black; repeats downward after half of the height. */
export function drawSpecks(width: number, height: number, count: number, size: number, seed: number): Raster {
  const random = seeded(seed)
  const raster = shade(width, height, (_, __, out) => put(out, [0, 0, 0]))
  for (let i = 0; i < count; i++) {
    const [x, y] = [random() * width, (random() * height) / 2]
    const strength = 0.15 + random() ** 3 * 0.7
    const radius = size * (0.5 + random())
    for (const row of [y, y + height / 2])
      glow(raster, { x, y: row, radius, colour: [0.75, 1, 0.95], strength })
  }
  return raster
}

/** A jellyfish, lit from above. */
export function drawJellyfish(size: number, seed: number, tint: Colour): Raster {
  const noise = gradientNoise(seed)
  return shade(size, Math.round(size * 1.9), (px, py, out) => {
    const [x, y] = [(px / size - 0.5) * 2, (py / size) * 2]
    put(out, tint, 0)
    const bell = x * x + ((y - 0.85) / 0.72) ** 2
    if (y < 0.95 && bell < 1) {
      const rim = smooth(0.55, 1, bell)
      const ribs = 0.5 + 0.5 * Math.cos(Math.asin(clamp(Math.abs(x)) * 0.98) * 14)
      put(out, tint)
      toward(out, [1, 1, 1], rim * 0.45 + smooth(0.7, 0.1, y) * 0.2)
      out[3] = clamp((0.26 + rim * 0.5 + ribs * 0.1) * smooth(1, 0.94, bell)) * smooth(0.97, 0.9, y)
      return
    }
    if (y < 0.88) return
    const down = (y - 0.88) / 8
    const sway = fractal(noise, y * 1.1, 4, 2) * (0.1 + down * 0.5)
    let light = 0
    for (let i = -4; i <= 4; i++) {
      const at = (i / 5) * (0.8 - down * 0.35) + sway + Math.sin(y * 3 + i) * 0.04
      const thick = 0.012 + (i % 2 === 0 ? 0.035 * smooth(0.4, 0, down) : 0.006)
      light += Math.exp(-(((x - at) / thick) ** 2)) * (i % 2 === 0 ? 0.5 : 0.75)
    }
    out[3] = clamp(light) * smooth(0.36, 0.02, down) * 0.62
    toward(out, [1, 1, 1], 0.3)
  })
}

const JELLYFISH = [
  {
    size: 210,
    seed: 3,
    tint: hex('#f2a6c8'),
    x: '760+40*sin(t*0.35)',
    y: '300-n*0.4+14*sin(t*2.1)',
    beat: 2.1,
  },
  {
    size: 120,
    seed: 4,
    tint: hex('#bfc6ff'),
    x: '300+30*sin(t*0.3+1)',
    y: '400-n*0.3+9*sin(t*2.6+1)',
    beat: 2.6,
  },
  {
    size: 80,
    seed: 5,
    tint: hex('#9fe0ee'),
    x: '1010+20*sin(t*0.4+2)',
    y: '250-n*0.25+6*sin(t*3+2)',
    beat: 3,
  },
]

export const underwater: Scene = {
  width: WIDTH,
  height: HEIGHT,
  seconds: SECONDS,
  async draw(folder) {
    const bed = 165
    const names = ['sea', 'beams', 'beams2', 'net', 'net2', 'specks', 'specks2', 'jelly0', 'jelly1', 'jelly2']
    const layers = names.map((name) => path.join(folder, `${name}.png`))
    const at = (name: string) => layers[names.indexOf(name)]!
    await writeLayer(at('sea'), drawSea(WIDTH, HEIGHT, 2))
    await writeLayer(at('beams'), drawBeams(WIDTH * 2, HEIGHT, WIDTH, 0.5, 6), 3)
    await writeLayer(at('beams2'), drawBeams(WIDTH * 2, HEIGHT, WIDTH, 0.32, 7), 3)
    await writeLayer(at('net'), drawCaustics(WIDTH + 640, bed, 8), 0.8)
    await writeLayer(at('net2'), drawCaustics(WIDTH + 640, bed, 9), 0.8)
    await writeLayer(at('specks'), drawSpecks(WIDTH, HEIGHT * 2, 260, 2.2, 10))
    await writeLayer(at('specks2'), drawSpecks(WIDTH, HEIGHT * 2, 60, 9, 11))
    for (const [i, { size, seed, tint }] of JELLYFISH.entries())
      await writeLayer(at(`jelly${i}`), drawJellyfish(size, seed, tint), 0.7)
    return {
      layers,
      graph: [
        `${still(0, 'gbrp')}[sea]`,
        `${still(1, 'gbrp')},${window(WIDTH, HEIGHT, `mod(n*2,${WIDTH})`)}[b1]`,
        `${still(2, 'gbrp')},${window(WIDTH, HEIGHT, `${WIDTH}-mod(n+300,${WIDTH})`)}[b2]`,
        '[b1][b2]blend=all_mode=multiply,curves=all=0/0 0.12/0.3 0.4/0.72 1/1[beams]',
        `${still(3, 'gbrp')},${window(WIDTH, bed, 'mod(n,640)')}[n1]`,
        `${still(4, 'gbrp')},${window(WIDTH, bed, '640-mod(n,640)')}[n2]`,
        `[n1][n2]blend=all_mode=screen,curves=all=0/0 0.5/0.2 1/0.6,pad=${WIDTH}:${HEIGHT}:0:${HEIGHT - bed}[net]`,
        '[sea][net]blend=all_mode=screen[p0]',
        ...JELLYFISH.flatMap(({ x, y, beat, size }, i) => [
          `${still(7 + i)},scale=w='trunc(${size}*(1+0.06*sin(t*${beat})))':h='trunc(${size * 1.9}*(1-0.05*sin(t*${beat})))':eval=frame:flags=bilinear[j${i}]`,
          `[p${i}][j${i}]${over(x, y)}[p${i + 1}]`,
        ]),
        `[p${JELLYFISH.length}][beams]blend=all_mode=screen[lit]`,
        `${still(5, 'gbrp')},${window(WIDTH, HEIGHT, '0', `mod(n,${HEIGHT})`)}[s1]`,
        `${still(6, 'gbrp')},${window(WIDTH, HEIGHT, '0', `mod(n*2,${HEIGHT})`)}[s2]`,
        '[lit][s1]blend=all_mode=screen[m]',
        `[m][s2]blend=all_mode=screen:all_opacity=0.5,${FINISH}[picture]`,
      ],
      sound:
        'anoisesrc=c=brown:a=0.7:s=11,lowpass=f=180,tremolo=f=0.2:d=0.4[deep];' +
        "aevalsrc='0.05*sin(2*PI*98*t)*(0.6+0.4*sin(0.6*t))+0.03*sin(2*PI*147*t+sin(0.4*t))*(0.5+0.5*sin(0.33*t))+0.018*sin(2*PI*392*t+3*sin(0.23*t))*(0.5+0.5*sin(0.27*t+1))':s=48000,aecho=0.7:0.7:180|420:0.5|0.4,lowpass=f=900[pad];" +
        '[deep][pad]amix=inputs=2:normalize=0[sound]',
    }
  },
}

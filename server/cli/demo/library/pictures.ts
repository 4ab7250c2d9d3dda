import { type Colour, hex } from '../draw/colour.ts'
import { gradientNoise } from '../draw/noise.ts'
import { type Raster, screen, stamp } from '../draw/raster.ts'
import { drawCurtains, GREEN, nightMountains, nightSky, VIOLET } from '../scenes/aurora.ts'
import { citySky, drawTown } from '../scenes/city.ts'
import { DESERT_DAY, desertSky, drawDunes, makeDunes } from '../scenes/dunes.ts'
import { drawForest } from '../scenes/forest.ts'
import { drawMist, drawRidge, duskSky } from '../scenes/hills.ts'
import {
  alpine,
  drawMountains,
  type MountainLight,
  makeCanyon,
  makeMountains,
  sandstone,
} from '../scenes/mountains.ts'
import { drawBokeh, drawDrops } from '../scenes/rain.ts'
import { drawOpenSea, MOONLIGHT, SUNDOWN } from '../scenes/sea.ts'
import { drawBeams, drawCaustics, drawJellyfish, drawSea, drawSpecks } from '../scenes/underwater.ts'

export interface DemoPicture {
  slug: string
  /** What the uploaded file is called; its ending says how it is written. */
  name: string
  /** Of its post. */
  description: string
  width: number
  height: number
  draw(width: number, height: number): Raster
}

const MORNING: MountainLight = {
  sun: { heading: 0.14, slope: 0.22 },
  sunlight: [1.5, 1.05, 0.72],
  shadow: [0.42, 0.5, 0.72],
  haze: hex('#e6b89c'),
  sky: [
    [0, hex('#4a74ac')],
    [0.6, hex('#c9b4b4')],
    [1, hex('#ffd8ab')],
  ],
  clouds: hex('#ffe2c8'),
  thickness: 0.42,
}

const NOON: MountainLight = {
  sun: { heading: -0.14, slope: 0.75 },
  sunlight: [1.15, 1.1, 1.02],
  shadow: [0.4, 0.5, 0.68],
  haze: hex('#b4cfe6'),
  sky: [
    [0, hex('#1c5aa6')],
    [0.6, hex('#6fa8da')],
    [1, hex('#cfe2ee')],
  ],
  clouds: hex('#ffffff'),
  thickness: 0.2,
}

const EVENING: MountainLight = {
  sun: { heading: -0.2, slope: 0.2 },
  sunlight: [1.75, 1.15, 0.75],
  shadow: [0.45, 0.42, 0.6],
  haze: hex('#d89a80'),
  sky: [
    [0, hex('#33508c')],
    [0.55, hex('#b5849a')],
    [1, hex('#ffbf86')],
  ],
  clouds: hex('#ffc9a8'),
  thickness: 0.3,
}

const RIDGES: [number, string, string][] = [
  [0.5, '#a8b6cc', '#d3d6dc'],
  [0.58, '#8299b8', '#b9c3d0'],
  [0.66, '#5c7898', '#97abc0'],
  [0.76, '#3b5674', '#70879e'],
  [0.88, '#1b3048', '#3c546c'],
]

const PALE: [number, Colour][] = [
  [0, hex('#7fa3cf')],
  [0.35, hex('#c2d2e2')],
  [0.6, hex('#f6e2cf')],
  [1, hex('#fbe8d6')],
]

export const PICTURES: DemoPicture[] = [
  {
    slug: 'valley-first-light',
    name: 'Valley, first light.jpg',
    description: 'Ten past six. The valley is still asleep under its haze.',
    width: 2400,
    height: 1600,
    draw: (width, height) =>
      drawMountains({
        ...{ width, height, land: makeMountains(41), seed: 43, light: MORNING },
        ...{ eye: { x: 0.12, z: 0.05, height: 0.27, heading: 0.06 }, horizon: 0.36, focal: 1.1 },
        surface: (out, at) => alpine(out, at, 0.17),
      }),
  },
  {
    slug: 'above-the-snow-line',
    name: 'Above the snow line.jpg',
    description: 'Noon, minus eight, no wind. Rare enough up here.',
    width: 2400,
    height: 1600,
    draw: (width, height) =>
      drawMountains({
        ...{ width, height, land: makeMountains(58), seed: 59, light: NOON },
        ...{ eye: { x: 0.55, z: 0.3, height: 0.25, heading: 0.62 }, horizon: 0.4, focal: 1.2 },
        surface: (out, at) => alpine(out, at, 0.05),
      }),
  },
  {
    slug: 'red-canyon',
    name: 'Red canyon.jpg',
    description: 'The last quarter of an hour in which the walls glow.',
    width: 2100,
    height: 1400,
    draw: (width, height) =>
      drawMountains({
        ...{ width, height, land: makeCanyon(61), seed: 62, light: EVENING },
        ...{ eye: { x: 0.2, z: 0.2, height: 0.33, heading: 0.1 }, horizon: 0.3, focal: 0.85 },
        surface: sandstone,
      }),
  },
  {
    slug: 'crest',
    name: 'Crest.png',
    description: 'One line between light and shadow, and it moves with every gust.',
    width: 1800,
    height: 1800,
    draw(width, height) {
      const light = DESERT_DAY[4]!
      const eye = { x: 0.62, z: 0.42, height: 0.115, heading: 0.3 }
      const picture = desertSky(width, height, [
        ...light.sky.map(([at, c]) => [at * 0.32, c] as [number, Colour]),
      ])
      const noise = gradientNoise(16)
      stamp(picture, drawDunes({ width, height, land: makeDunes(25), eye, horizon: 0.3, light, noise }), 0, 0)
      return picture
    },
  },
  {
    slug: 'five-ridges',
    name: 'Five ridges, panorama.jpg',
    description: 'Stitched from the terrace. On the right, where it is brightest, is the sea.',
    width: 3000,
    height: 1000,
    draw(width, height) {
      const picture = duskSky({ width, height, sun: [0.74, 0.46], seed: 83, stops: PALE })
      for (const [i, [line, colour, haze]] of RIDGES.entries()) {
        const firs: [number, number] | undefined = i > 2 ? [70, 14 + (i - 3) * 50] : undefined
        const ridge = {
          line,
          relief: 0.12,
          detail: 1 - i * 0.08,
          colour: hex(colour),
          haze: hex(haze),
          seed: 90 + i,
        }
        stamp(picture, drawRidge(width, height, firs ? { ...ridge, firs } : ridge), 0, 0)
        if (i < 4) stamp(picture, drawMist(width, height, line + 0.09, hex('#e6e4e0'), 100 + i), 0, 0)
      }
      return picture
    },
  },
  {
    slug: 'fog-between-firs',
    name: 'Fog between firs.webp',
    description: 'It smelled of resin and wet bark. The beams lasted for two minutes.',
    width: 1600,
    height: 2000,
    draw: (width, height) => drawForest(width, height, 31),
  },
  {
    slug: 'sundown',
    name: 'Sundown at sea.jpg',
    description: 'Thirty seconds before it touches the water.',
    width: 2400,
    height: 1600,
    draw: (width, height) => drawOpenSea({ ...SUNDOWN, width, height, seed: 47 }),
  },
  {
    slug: 'moon-road',
    name: 'Moon road.webp',
    description: 'Four seconds, by hand, on the railing of the ferry.',
    width: 1800,
    height: 1800,
    draw: (width, height) => drawOpenSea({ ...MOONLIGHT, width, height, seed: 48 }),
  },
  {
    slug: 'green-hour',
    name: 'Green hour.jpg',
    description: 'Taken between two curtains, when it was bright enough to read.',
    width: 1600,
    height: 2000,
    draw(width, height) {
      const picture = nightSky(width, height, 71)
      const curtains = { width, height: Math.round(height * 0.85), repeat: width * 2.2 }
      screen(picture, drawCurtains({ ...curtains, seed: 72, edge: 0.74, folds: 2, colours: GREEN }))
      screen(picture, drawCurtains({ ...curtains, seed: 75, edge: 0.5, colours: VIOLET }), 0.9)
      const mountains = nightMountains(width, Math.round(height * 0.34), 36)
      stamp(picture, mountains, 0, height - mountains.height)
      return picture
    },
  },
  {
    slug: 'blue-hour',
    name: 'Blue hour, panorama.webp',
    description: 'Everybody comes home at the same time, and one window after the other says so.',
    width: 3000,
    height: 1200,
    draw(width, height) {
      const picture = citySky(width, height, 0.62, 51)
      const town = drawTown(width, Math.round(height * 0.95), 0.8)
      stamp(picture, town, 0, height - town.height)
      return picture
    },
  },
  {
    slug: 'after-the-rain',
    name: 'After the rain.png',
    description: 'Focus on the pane, the street is only colour.',
    width: 1600,
    height: 1600,
    draw(width, height) {
      const picture = drawBokeh(width, height, 77, 0.1)
      stamp(picture, drawDrops(picture, width, height, 78, 1000), 0, 0)
      return picture
    },
  },
  {
    slug: 'three-breaths-down',
    name: 'Three breaths down.jpg',
    description: 'The larger one was about as long as a hand.',
    width: 1600,
    height: 2000,
    draw(width, height) {
      const picture = drawSea(width, height, 81, 0.86)
      const net = Math.round(height * 0.2)
      screen(picture, drawCaustics(width, net, 82), 0.5, height - net)
      const large = Math.round(width * 0.34)
      stamp(
        picture,
        drawJellyfish(large, 3, hex('#f2a6c8')),
        Math.round(width * 0.42),
        Math.round(height * 0.3),
      )
      stamp(
        picture,
        drawJellyfish(Math.round(large / 2), 5, hex('#bfc6ff')),
        Math.round(width * 0.14),
        Math.round(height * 0.52),
      )
      screen(picture, drawBeams(width, height, width, 0.4, 83), 0.55)
      return screen(picture, drawSpecks(width, height, 160, 3, 84), 0.7)
    },
  },
]

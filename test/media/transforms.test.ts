import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResizeRequest } from '../../server/media/images/port.ts'
import { hdrAvifPhoto, hdrHeicPhoto } from '../fixtures/heic.ts'
import { scene } from '../fixtures/images.ts'
import { openWorkbench } from './workbench.ts'

let bench: Awaited<ReturnType<typeof openWorkbench>>
beforeAll(async () => {
  bench = await openWorkbench()
})
afterAll(() => bench.close())

const COLOURS = { r: [255, 0, 0], g: [0, 255, 0], b: [0, 0, 255], y: [255, 255, 0] }

/** Three by two fields, each 100 pixels wide and high, by the letters of their colours. */
async function fields(rows: string[] = ['rgb', 'yrg']): Promise<Buffer> {
  const [width, height] = [rows[0]!.length * 100, rows.length * 100]
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3)
      data.set(COLOURS[rows[Math.floor(y / 100)]![Math.floor(x / 100)] as keyof typeof COLOURS], at)
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

/** The letters of a picture's fields of this many pixels, by the colour in the middle of each. */
async function lettersOf(picture: Buffer | Sharp, side: number): Promise<string[]> {
  const opened = Buffer.isBuffer(picture) ? sharp(picture) : picture
  const { data, info } = await opened.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const letterAt = (x: number, y: number) => {
    const at = (y * info.width + x) * 3
    const isLike = (colour: number[]) => colour.every((value, i) => Math.abs(value - data[at + i]!) < 60)
    return Object.entries(COLOURS).find(([, colour]) => isLike(colour))?.[0] ?? '?'
  }
  return Array.from({ length: info.height / side }, (_, row) =>
    Array.from({ length: info.width / side }, (_, column) =>
      letterAt((column + 0.5) * side, (row + 0.5) * side),
    ).join(''),
  )
}

const made = async (source: Buffer, asked: Partial<ResizeRequest>) =>
  (await bench.resize(source, { fit: 'contain', format: 'png', ...asked })).data

describe('what is cut, turned and mirrored', () => {
  const cover = { width: 100, height: 200, fit: 'cover' } as const
  test.each<[Partial<ResizeRequest>, number, string[]]>([
    [{ width: 150, height: 200, fit: 'fill' }, 50, ['rgb', 'rgb', 'yrg', 'yrg']],
    [cover, 100, ['g', 'r']],
    [{ ...cover, gravity: 'west' }, 100, ['r', 'y']],
    [{ ...cover, gravity: 'northeast' }, 100, ['b', 'g']],
    [{ ...cover, gravity: { x: 0.9, y: 0.5 } }, 100, ['b', 'g']],
    [{ ...cover, gravity: { x: 0, y: 0 } }, 100, ['r', 'y']],
    [{ rotate: 90 }, 100, ['yr', 'rg', 'gb']],
    [{ rotate: 180 }, 100, ['gry', 'bgr']],
    [{ rotate: 270 }, 100, ['bg', 'gr', 'ry']],
    [{ flip: 'h' }, 100, ['bgr', 'gry']],
    [{ flip: 'v' }, 100, ['yrg', 'rgb']],
    [{ flip: 'both' }, 100, ['gry', 'bgr']],
    // First turned, then mirrored, and the box and the sides are those of what is sent.
    [{ rotate: 90, flip: 'h' }, 100, ['ry', 'gr', 'bg']],
    [{ rotate: 90, width: 200, height: 100, fit: 'cover', gravity: 'north' }, 100, ['yr']],
    [{ rotate: 90, flip: 'v', width: 200, height: 100, fit: 'cover', gravity: 'north' }, 100, ['gb']],
    // A point is one of the picture as it is.
    [{ rotate: 270, width: 200, height: 100, fit: 'cover', gravity: { x: 0.1, y: 0.5 } }, 100, ['ry']],
  ])('%o gives %i px fields %o', async (asked, side, rows) => {
    expect(await lettersOf(await made(await fields(), asked), side)).toEqual(rows)
  })

  test('a photo that lies on its side is cut and turned as it is seen', async () => {
    const lying = await sharp(await fields())
      .rotate(270)
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toBuffer()
    const left = { ...cover, gravity: { x: 0.05, y: 0.5 } }
    expect(await lettersOf(await made(lying, left), 100)).toEqual(['r', 'y'])
    expect(await lettersOf(await made(lying, { ...cover, gravity: 'east' }), 100)).toEqual(['b', 'g'])
    expect(await lettersOf(await made(lying, { rotate: 90 }), 100)).toEqual(['yr', 'rg', 'gb'])
  })

  test('smart keeps what draws the eye, wherever that is', async () => {
    const disc = Buffer.from(
      '<svg width="60" height="60"><circle cx="30" cy="30" r="28" fill="#e02020"/></svg>',
    )
    const plain = sharp({ create: { width: 600, height: 200, channels: 3, background: '#8090a0' } })
    for (const left of [40, 500]) {
      const picture = await plain
        .clone()
        .composite([{ input: disc, left, top: 70 }])
        .png()
        .toBuffer()
      const data = await made(picture, { width: 100, height: 100, fit: 'cover', gravity: 'smart' })
      const { channels } = await sharp(data).stats()
      expect(channels[0]!.max).toBeGreaterThan(200)
      const middle = await made(picture, { width: 100, height: 100, fit: 'cover' })
      expect((await sharp(middle).stats()).channels[0]!.max).toBeLessThan(200)
    }
  })
})

describe('what is done to pixels', () => {
  test('a border of one colour is trimmed, and the rest is cut and turned as ever', async () => {
    const framed = await sharp(await fields())
      .extend({ top: 40, left: 60, right: 20, bottom: 80, background: '#202020' })
      .png()
      .toBuffer()
    expect(await lettersOf(await made(framed, { trim: 10 }), 100)).toEqual(['rgb', 'yrg'])
    const turned = { trim: 10, rotate: 90, width: 200, height: 100, fit: 'cover', gravity: 'south' } as const
    expect(await lettersOf(await made(framed, turned), 100)).toEqual(['gb'])
    const one = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    expect(
      await bench.resize(await one.png().toBuffer(), { trim: 10, fit: 'contain', format: 'png' }),
    ).toMatchObject({ width: 30, height: 20 })
  })

  test('what has no border around anything is not trimmed', async () => {
    for (const [width, height] of [
      [1, 1],
      [500, 2],
    ] as const) {
      const small = sharp({ create: { width, height, channels: 3, background: 'red' } })
      const asked = { trim: 10, fit: 'contain', format: 'png' } as const
      expect(await bench.resize(await small.png().toBuffer(), asked)).toMatchObject({ width, height })
    }
  })

  test('of what moves, all that any picture shows is kept', async () => {
    const [width, height] = [60, 40]
    const block = { input: { create: { width: 20, height: 10, channels: 3, background: 'red' } } } as const
    const pictures = [20, 21, 22, 23].map((left) =>
      sharp({ create: { width, height, channels: 3, background: 'white' } })
        .composite([{ ...block, left, top: 15 }])
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
    const raw = { width, height: 4 * height, channels: 3, pageHeight: height } as const
    const gif = await sharp(Buffer.concat(await Promise.all(pictures)), { raw })
      .gif()
      .toBuffer()
    const asked = { trim: 10, fit: 'contain', format: 'gif' } as const
    const { data, ...size } = await bench.resize(gif, asked)
    expect(size).toMatchObject({ width: 23, height: 10 })
    expect((await sharp(data).metadata()).pages).toBe(4)
  })

  test('blur takes away what sharpen brings out', async () => {
    const edges = async (asked: Partial<ResizeRequest>) =>
      (await sharp(await made(await scene().png().toBuffer(), asked)).stats()).sharpness
    const plain = await edges({})
    expect(await edges({ blur: 2 })).toBeLessThan(plain)
    expect(await edges({ blur: 20 })).toBeLessThan(await edges({ blur: 2 }))
    expect(await edges({ sharpen: 2 })).toBeGreaterThan(plain)
  })

  test('a background shows through, in every format', async () => {
    const clear = await sharp({ create: { width: 32, height: 32, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer()
    for (const format of ['png', 'webp', 'jpg', 'avif'] as const) {
      const data = await made(clear, { background: '#ff0000', format })
      const { data: pixels, info } = await sharp(data).raw().toBuffer({ resolveWithObject: true })
      expect([info.channels, pixels[0]! > 240, pixels[1]! < 20], format).toEqual([3, true, true])
    }
  })

  test('lossless means that every pixel is as it was', async () => {
    const source = await scene().png().toBuffer()
    const pixels = await sharp(source).raw().toBuffer()
    for (const format of ['webp', 'avif'] as const) {
      const data = await made(source, { lossless: true, format })
      expect((await sharp(data).raw().toBuffer()).equals(pixels), format).toBe(true)
    }
  })
})

describe('what moves', () => {
  const frames = async () => [await fields(), await fields(['bbb', 'bbb']), await fields(['yyy', 'yyy'])]
  const moving = async (format: 'gif' | 'webp') => {
    const joined = sharp(await frames(), { join: { animated: true } })
    const timing = { delay: [100, 200, 300], loop: 2 }
    return format === 'gif'
      ? joined.gif(timing).toBuffer()
      : joined.webp({ ...timing, lossless: true }).toBuffer()
  }
  const frameOf = (data: Buffer, page: number) => sharp(data, { page })

  test.each(['gif', 'webp'] as const)('a %s is kept as animated WebP, with its times', async (format) => {
    const { data, ...made } = await bench.convert(await moving(format))
    expect(made).toMatchObject({ width: 300, height: 200, moves: true })
    const found = await sharp(data, { pages: -1 }).metadata()
    expect(found).toMatchObject({ format: 'webp', pages: 3, delay: [100, 200, 300], loop: 2 })
    expect(await lettersOf(frameOf(data, 1), 100)).toEqual(['bbb', 'bbb'])
  })

  test('it goes on moving in WebP and GIF, cut, turned and mirrored; elsewhere it stands still', async () => {
    const source = await moving('gif')
    const asked = { width: 200, height: 100, fit: 'cover', gravity: 'north', rotate: 90, flip: 'h' } as const
    for (const format of ['webp', 'gif'] as const) {
      const { data, ...result } = await bench.resize(source, { ...asked, format })
      expect(result).toMatchObject({ width: 200, height: 100 })
      const found = await sharp(data, { pages: -1 }).metadata()
      expect([found.pages, found.delay], format).toEqual([3, [100, 200, 300]])
      expect(await lettersOf(frameOf(data, 0), 100), format).toEqual(['ry'])
      expect(await lettersOf(frameOf(data, 2), 100), format).toEqual(['yy'])
    }
    const smart = await bench.resize(source, {
      width: 100,
      height: 100,
      fit: 'cover',
      gravity: 'smart',
      format: 'webp',
    })
    expect((await sharp(smart.data, { pages: -1 }).metadata()).pages).toBe(3)
    for (const format of ['avif', 'jpg', 'png'] as const) {
      const { data } = await bench.resize(source, { ...asked, format })
      expect((await sharp(data).metadata()).pages ?? 1, format).toBe(1)
      expect(await lettersOf(data, 100), format).toEqual(['ry'])
    }
  })

  test('more pixels than are taken in all of its frames are refused before they are decoded', async () => {
    const screen = Buffer.from([
      ...Buffer.from('GIF89a'),
      0xd0,
      0x07,
      0xd0,
      0x07,
      0x80,
      0,
      0,
      0,
      0,
      0,
      255,
      255,
      255,
    ])
    // One pixel of a screen of 2000 by 2000.
    const frame = Buffer.from('2c0000000001000100000202440100', 'hex')
    const gif = Buffer.concat([screen, ...Array.from({ length: 26 }, () => frame), Buffer.from([0x3b])])
    await expect(bench.convert(gif)).rejects.toThrow('104 megapixels in 26 frames; at most 100 are taken')
  })
})

const HDR = {
  'HEIC in PQ': () => hdrHeicPhoto('pq'),
  'HEIC in HLG': () => hdrHeicPhoto('hlg'),
  'AVIF in PQ': () => hdrAvifPhoto('pq'),
  'AVIF in HLG': () => hdrAvifPhoto('hlg'),
}

test.each(Object.entries(HDR))('%s looks on a usual screen as it was meant', async (_, photo) => {
  const { file, patches } = await photo()
  const { data, ...result } = await bench.convert(file)
  expect(result).toMatchObject({ hasAlpha: false, moves: false })
  const pixels = await sharp(data).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  for (const { name, x, y, about } of patches) {
    const at = (y * pixels.info.width + x) * 3
    const found = [...pixels.data.subarray(at, at + 3)]
    for (const [i, value] of about.entries())
      expect(Math.abs(found[i]! - value), `${name} ${found}`).toBeLessThan(14)
  }
})

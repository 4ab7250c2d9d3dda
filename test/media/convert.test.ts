import sharp from 'sharp'
import { thumbHashToRGBA } from 'thumbhash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heicPhoto, rewriteHeic, tiledHeicPhoto } from '../fixtures/heic.ts'
import { heldPhoto, photoWithPrivateData, scene } from '../fixtures/images.ts'
import { similarity } from './similarity.ts'
import { openWorkbench, referenceHeic } from './workbench.ts'

let bench: Awaited<ReturnType<typeof openWorkbench>>
beforeAll(async () => {
  bench = await openWorkbench()
})
afterAll(() => bench.close())

const rightOf = async (data: Buffer) => {
  const { format, compression, width, height, orientation } = await sharp(data).metadata()
  return { format, compression, width, height, orientation }
}
const displayP3 = async () =>
  (await sharp(await scene().withIccProfile('p3').png().toBuffer()).metadata()).icc!
const tagNames = (profile: Buffer) =>
  Array.from({ length: profile.readUInt32BE(128) }, (_, i) =>
    profile.toString('latin1', 132 + i * 12, 136 + i * 12),
  )

/** What a profile says about colours, by the names of its tags. */
function coloursOf(profile: Buffer): Record<string, string> {
  const tags = Array.from({ length: profile.readUInt32BE(128) }, (_, i) => {
    const at = 132 + i * 12
    const [start, length] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    return [profile.toString('latin1', at, at + 4), profile.toString('hex', start, start + length)] as const
  })
  return Object.fromEntries(tags.filter(([name]) => /^([rgb](XYZ|TRC)|wtpt|chad)$/.test(name)))
}
const firstPixel = async (data: Buffer) => [...(await sharp(data).raw().toBuffer()).subarray(0, 4)]

describe('every way an image comes', () => {
  const encoded = {
    'a JPEG': () => scene().jpeg({ quality: 95 }).toBuffer(),
    'a progressive JPEG with full colour': () =>
      scene().jpeg({ quality: 95, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    'a CMYK JPEG': () =>
      scene().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer(),
    'a grey JPEG': () => scene().greyscale().toColourspace('b-w').jpeg({ quality: 95 }).toBuffer(),
    'a PNG': () => scene().png().toBuffer(),
    'a 16-bit PNG': () => scene().toColourspace('rgb16').png().toBuffer(),
    'an interlaced PNG with few colours': () =>
      scene().png({ palette: true, dither: 0, progressive: true }).toBuffer(),
    'a WebP': () => scene().webp({ quality: 95 }).toBuffer(),
    'a lossless WebP': () => scene().webp({ lossless: true }).toBuffer(),
    'an AVIF': () => scene().avif({ quality: 90, effort: 0 }).toBuffer(),
  }
  test.each(Object.entries(encoded))('%s becomes the same picture in AVIF', async (_name, encode) => {
    const source = await encode()
    const { data, thumbhash, ...result } = await bench.convert(source)
    expect(result).toEqual({ width: 320, height: 200, hasAlpha: false, moves: false, bytes: data.length })
    expect(await rightOf(data)).toMatchObject({ format: 'heif', compression: 'av1', width: 320, height: 200 })
    expect(await similarity(data, source)).toBeGreaterThan(0.92)
    const small = thumbHashToRGBA(Buffer.from(thumbhash, 'base64'))
    const blurred = sharp(Buffer.from(small.rgba), { raw: { width: small.w, height: small.h, channels: 4 } })
    expect(
      await similarity(blurred.resize(320, 200, { fit: 'fill' }), sharp(source).blur(20)),
    ).toBeGreaterThan(0.7)
  })

  test('an animated WebP that is to stand still becomes its first frame', async () => {
    const frames = [await scene().png().toBuffer(), await scene().negate().png().toBuffer()]
    const animated = await sharp(frames, { join: { animated: true } })
      .webp({ quality: 95 })
      .toBuffer()
    const { data, height, moves } = await bench.convert(animated, { isStill: true })
    expect([height, moves]).toEqual([200, false])
    expect(await similarity(data, scene())).toBeGreaterThan(0.95)
  })

  test('a panorama as long as AVIF can be is taken whole', async () => {
    const long = sharp({ create: { width: 16_384, height: 100, channels: 3, background: 'teal' } })
    const { width, height } = await bench.convert(await long.jpeg().toBuffer())
    expect([width, height]).toEqual([16_384, 100])
  })

  test('quality and effort reach the encoder', async () => {
    const source = await scene().png().toBuffer()
    const [poor, fine] = [
      await bench.convert(source, { quality: 10 }),
      await bench.convert(source, { quality: 90, effort: 3 }),
    ]
    expect(fine.bytes).toBeGreaterThan(poor.bytes)
  })
})

describe('transparency', () => {
  test('a half transparent PNG stays half transparent', async () => {
    const png = await sharp({
      create: { width: 40, height: 30, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer()
    const { data, hasAlpha } = await bench.convert(png)
    expect(hasAlpha).toBe(true)
    const [red, , , alpha] = await firstPixel(data)
    expect(Math.abs(red! - 200)).toBeLessThan(8)
    expect(Math.abs(alpha! - 128)).toBeLessThan(4)
  })

  test('a colour of a palette that is marked transparent is', async () => {
    const pixels = Buffer.alloc(40 * 40 * 4)
    pixels.fill('00c080ff', pixels.length / 2, pixels.length, 'hex')
    const png = await sharp(pixels, { raw: { width: 40, height: 40, channels: 4 } })
      .png({ palette: true })
      .toBuffer()
    expect(png.includes('tRNS')).toBe(true)
    const { data, hasAlpha } = await bench.convert(png)
    expect(hasAlpha).toBe(true)
    const shown = await sharp(data).raw().toBuffer()
    expect(shown[3]).toBeLessThan(4)
    expect(shown.at(-1)).toBeGreaterThan(251)
  })
})

describe('what a camera adds', () => {
  const landscape = () => scene(320, 200)
  const portrait = () => scene(200, 320)
  test.each([
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ['landscape', orientation, landscape] as const),
    ...[1, 5, 6].map((orientation) => ['portrait', orientation, portrait] as const),
  ])('a %s of orientation %i comes out upright', async (_form, orientation, upright) => {
    const jpeg = await heldPhoto(orientation, upright)
    expect((await sharp(jpeg).metadata()).orientation).toBe(orientation)
    const { data, width, height } = await bench.convert(jpeg)
    const { info } = await upright().raw().toBuffer({ resolveWithObject: true })
    expect([width, height]).toEqual([info.width, info.height])
    expect(await rightOf(data)).toMatchObject({ width, height, orientation: undefined })
    expect(await similarity(data, upright())).toBeGreaterThan(0.95)
  })

  test('place, time and person are gone', async () => {
    const jpeg = await photoWithPrivateData()
    const before = await sharp(jpeg).metadata()
    expect(before.exif && before.xmp).toBeTruthy()
    const { data } = await bench.convert(jpeg)
    const after = await sharp(data).metadata()
    expect([after.exif, after.xmp, after.iptc, after.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    for (const trace of ['Exif', 'Photographer', 'Paris', 'xmpmeta']) expect(data.includes(trace)).toBe(false)
  })

  test('a profile that travels along says nothing but colours', async () => {
    const profile = await displayP3()
    // As calibrated screens have it: who has it, where, and when that was.
    const desc = profile.readUInt32BE(132 + 12 * tagNames(profile).indexOf('desc') + 4)
    profile.write('ADA', desc + 28, 'utf16le')
    profile.write('adas', 48)
    const heic = rewriteHeic(await heicPhoto(), { profile })
    for (const { data } of [
      await bench.convert(heic),
      await bench.resize(heic, { width: 100, fit: 'contain', rotate: 90, format: 'avif' }),
    ]) {
      const { icc } = await sharp(data).metadata()
      expect(coloursOf(icc!)).toEqual(coloursOf(profile))
      expect(tagNames(icc!)).toEqual(expect.arrayContaining(['desc', 'cprt', 'rXYZ']))
      for (const trace of [Buffer.from('ADA', 'utf16le'), 'adas']) expect(data.includes(trace)).toBe(false)
    }
  })
})

describe('colours', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('a Display P3 %s keeps its wide colours', async (format) => {
    const source = await scene().withIccProfile('p3')[format]().toBuffer()
    const { data } = await bench.convert(source)
    expect(coloursOf((await sharp(data).metadata()).icc!)).toEqual(coloursOf(await displayP3()))
    expect(await similarity(data, source)).toBeGreaterThan(0.95)
  })

  test('a profile that means sRGB is dropped, and the colours stay', async () => {
    const source = await scene().withIccProfile('srgb').png().toBuffer()
    const { data } = await bench.convert(source)
    expect((await sharp(data).metadata()).icc).toBeUndefined()
    expect(await similarity(data, scene())).toBeGreaterThan(0.95)
  })

  test('16 bits with a profile do not change their colour', async () => {
    const red = Buffer.alloc(32 * 32 * 3)
    for (let i = 0; i < red.length; i += 3) red[i] = 255
    const eight = await sharp(red, { raw: { width: 32, height: 32, channels: 3 } })
      .withIccProfile('p3')
      .png()
      .toBuffer()
    const sixteen = await sharp(eight).keepIccProfile().toColourspace('rgb16').png().toBuffer()
    expect((await sharp(sixteen).metadata()).depth).toBe('ushort')
    const { data } = await bench.convert(sixteen)
    const [r, g, b] = await firstPixel(data)
    expect(r).toBeGreaterThan(248)
    expect(Math.max(g!, b!)).toBeLessThan(12)
  })
})

describe('a HEIC', () => {
  test.each([
    ['in one piece, with a thumbnail,', heicPhoto, 640, 426],
    ['in tiles, with private data,', tiledHeicPhoto, 480, 320],
  ] as const)('%s is what libheif shows', async (_kind, make, width, height) => {
    const file = await make()
    const result = await bench.convert(file)
    expect(result).toMatchObject({ width, height, hasAlpha: false })
    expect(await similarity(result.data, await referenceHeic(file))).toBeGreaterThan(0.95)
    expect(await similarity(result.data, scene(width, height))).toBeGreaterThan(0.9)
    const { exif, icc } = await sharp(result.data).metadata()
    expect([exif, icc]).toEqual([undefined, undefined])
  })

  test('that is to be turned is turned once', async () => {
    const file = await heicPhoto()
    const { data, width, height } = await bench.convert(rewriteHeic(file, { quarterTurns: 1 }))
    expect([width, height]).toEqual([426, 640])
    const turned = await (await referenceHeic(file)).rotate(270).png().toBuffer()
    expect(await similarity(data, turned)).toBeGreaterThan(0.95)
  })

  test('in Display P3 keeps its wide colours', async () => {
    const file = await heicPhoto()
    const profile = await displayP3()
    const { data } = await bench.convert(rewriteHeic(file, { profile }))
    expect(coloursOf((await sharp(data).metadata()).icc!)).toEqual(coloursOf(profile))
    const stored = sharp(data, { ignoreIcc: true })
    expect(await similarity(stored, await referenceHeic(file))).toBeGreaterThan(0.95)
  })
})

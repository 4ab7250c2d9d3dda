import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UnsupportedImage } from '../../server/media/images/errors.ts'
import { costlyImages, jpegOfScans } from '../fixtures/costly-images.ts'
import { heicPhoto, rewriteHeic, tiledHeicPhoto } from '../fixtures/heic.ts'
import { blankPng, heldPhoto, otherFiles, pixelBomb, scene } from '../fixtures/images.ts'
import { openWorkbench } from './workbench.ts'

let bench: Awaited<ReturnType<typeof openWorkbench>>
beforeAll(async () => {
  bench = await openWorkbench({ size: 1 })
})
afterAll(() => bench.close())

/** The words for the person who sent the file. */
async function refusal(content: Buffer): Promise<string> {
  const output = bench.nextOutput()
  const error = await bench.convert(content, { output }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(UnsupportedImage)
  expect(existsSync(output)).toBe(false)
  return (error as Error).message
}

test.each(await otherFiles())('%s is refused by name', async (told, content) => {
  expect(await refusal(content)).toBe(`this is ${told}; send JPEG, PNG, WebP, AVIF, GIF or HEIC`)
})

test('an empty file is refused', async () => {
  expect(await refusal(Buffer.alloc(0))).toBe('the file is empty')
})

describe('too large', () => {
  test('a bomb of 144 megapixels is told its size, not unpacked', async () => {
    const bomb = pixelBomb()
    expect(bomb.length).toBeLessThan(150_000)
    expect(await refusal(bomb)).toBe('the image has 144 megapixels; at most 50 are taken')
  })

  test('a file of more than 100 MB is not even sent to a child', async () => {
    expect(await refusal(Buffer.alloc(101 * 2 ** 20, 0xff))).toBe(
      'the file has 101 MB; at most 100 are taken',
    )
  })

  test('a HEIC that declares too much is refused, one that declares too little fails', async () => {
    const heic = await heicPhoto()
    expect(await refusal(rewriteHeic(heic, { declared: [60_000, 60_000] }))).toBe(
      'the image has 3600 megapixels; at most 50 are taken',
    )
    expect(await refusal(rewriteHeic(heic, { declared: [0xffffffff, 1] }))).toMatch(/megapixels|damaged/)
    expect(await refusal(rewriteHeic(heic, { declared: [64, 64] }))).toBe('the HEIC is cut off or damaged')
  })
})

test.each(await costlyImages())('%s is refused before it is decoded', async (_name, content, told) => {
  expect(await refusal(content)).toBe(told)
})

test('a progressive JPEG of as many scans as are allowed is taken', async () => {
  expect(await bench.convert(jpegOfScans(200, 100, 100))).toMatchObject({ width: 200, height: 100 })
})

describe('cut off or damaged', () => {
  const half = (whole: Buffer) => whole.subarray(0, whole.length / 2)

  test.each([
    ['PNG', () => scene().png().toBuffer()],
    ['JPEG', () => scene().jpeg().toBuffer()],
    ['WebP', () => scene().webp().toBuffer()],
    ['PNG', () => scene().withIccProfile('p3').png().toBuffer()],
    ['JPEG', () => scene().withIccProfile('p3').jpeg().toBuffer()],
    ['JPEG', () => heldPhoto(6)],
    ['HEIC', heicPhoto],
    ['HEIC', tiledHeicPhoto],
  ])('half a %s', async (name, whole) => {
    expect(await refusal(half(await whole()))).toBe(`the ${name} is cut off or damaged`)
  })

  test('a PNG that ends within its only pixel', async () => {
    const png = blankPng(1, 1)
    expect(await refusal(png.subarray(0, png.indexOf('IDAT') + 12))).toBe('the PNG is cut off or damaged')
  })

  test.each([
    ['PNG', '89504e470d0a1a0a'],
    ['JPEG', 'ffd8ffe0'],
    ['WebP', '52494646240000005745425056503820'],
    ['HEIC', '0000001866747970686569630000000068656963'],
  ])('no more than the first bytes of a %s', async (name, start) => {
    expect(await refusal(Buffer.from(start, 'hex'))).toBe(`the ${name} is cut off or damaged`)
  })

  test('the next image in the same child is fine', async () => {
    expect((await bench.convert(await scene().png().toBuffer())).width).toBe(320)
  })
})

import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RESIZE_FORMATS } from '../../server/media/images/port.ts'
import { heicPhoto } from '../fixtures/heic.ts'
import { heldPhoto, photoWithPrivateData, scene } from '../fixtures/images.ts'
import { similarity } from './similarity.ts'
import { openWorkbench, referenceHeic } from './workbench.ts'

let bench: Awaited<ReturnType<typeof openWorkbench>>
let stored: Buffer
beforeAll(async () => {
  bench = await openWorkbench()
  stored = (await bench.convert(await scene().png().toBuffer())).data
})
afterAll(() => bench.close())

test.each(RESIZE_FORMATS)('a stored image is served smaller as %s', async (format) => {
  const { data, ...result } = await bench.resize(stored, { width: 160, fit: 'contain', format })
  expect(result).toEqual({ width: 160, height: 100, bytes: data.length })
  const found = await sharp(data).metadata()
  expect(found.format).toBe({ avif: 'heif', webp: 'webp', jpg: 'jpeg', png: 'png', gif: 'gif' }[format])
  expect([found.width, found.height]).toEqual([160, 100])
  // Two hundred colours are all that a GIF has.
  expect(await similarity(data, stored)).toBeGreaterThan(format === 'gif' ? 0.7 : 0.9)
})

test.each([
  // The stored image is 320 × 200.
  [{ width: 100, height: 100, fit: 'cover' }, [100, 100]],
  [{ width: 100, height: 100, fit: 'contain' }, [100, 63]],
  [{ height: 100, fit: 'cover' }, [160, 100]],
  [{ fit: 'contain' }, [320, 200]],
  [{ width: 4000, fit: 'contain' }, [320, 200]],
  [{ width: 4000, height: 4000, fit: 'contain' }, [320, 200]],
  [{ width: 4000, height: 4000, fit: 'cover' }, [200, 200]],
  [{ width: 1600, height: 100, fit: 'cover' }, [320, 20]],
] as const)('%o gives %o and never enlarges', async (box, sides) => {
  const { width, height } = await bench.resize(stored, { ...box, format: 'webp' })
  expect([width, height]).toEqual(sides)
})

test('what is transparent turns white where the format knows no transparency', async () => {
  const clear = await sharp({ create: { width: 32, height: 32, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer()
  const { data } = await bench.resize(clear, { fit: 'contain', format: 'jpg' })
  expect([...(await sharp(data).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255])
})

test('an upload that was not stored yet loses its metadata too', async () => {
  const { data } = await bench.resize(await photoWithPrivateData(), { fit: 'contain', format: 'jpg' })
  const { exif, xmp } = await sharp(data).metadata()
  expect([exif, xmp]).toEqual([undefined, undefined])
})

test('a HEIC and a photo that lies on its side can be resized as they came', async () => {
  const heic = await heicPhoto()
  const small = await bench.resize(heic, { width: 320, fit: 'contain', format: 'webp', quality: 95 })
  expect(await similarity(small.data, await referenceHeic(heic))).toBeGreaterThan(0.9)
  const landscape = () => scene(1280, 800)
  const lying = await heldPhoto(6, landscape)
  const upright = await bench.resize(lying, { width: 640, fit: 'contain', format: 'webp', quality: 95 })
  expect(await similarity(upright.data, landscape())).toBeGreaterThan(0.9)
})

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { photoWithPrivateData, scene } from '../fixtures/images.ts'
import { similarity } from '../media/similarity.ts'
import { composeForTest } from '../support/in-process.ts'
import { local, uploaderOf } from '../support/media.ts'

const get = async ({ file }: { file: { url: string } }, query: string) => {
  const answer = await fetch(`${local(file.url)}?${query}`)
  return { status: answer.status, data: Buffer.from(await answer.arrayBuffer()) }
}
/** What sharp alone makes of a file. */
const alone = (file: Buffer, width: number) =>
  sharp(file, { autoOrient: true }).resize(width).webp({ quality: 80 }).toBuffer()

test('a size is made from the original, upright and without its metadata', async () => {
  const { upload } = uploaderOf((await composeForTest()).api)
  const lying = await scene(1600, 1200).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const originals = {
    jpeg: await scene(1600, 1200).jpeg({ quality: 92 }).toBuffer(),
    lying,
    wide: await scene(1600, 1200).withIccProfile('p3').jpeg({ quality: 92 }).toBuffer(),
    webp: await scene(1600, 1200).webp({ quality: 92 }).toBuffer(),
    png: await scene(1600, 1200).png().toBuffer(),
    private: await photoWithPrivateData(),
  }
  for (const [name, original] of Object.entries(originals)) {
    const { body } = await upload(original)
    const { data } = await get(body, 'w=301&format=webp')
    // To the byte what the original gives; the AVIF, which has lost something, gives others.
    expect(data.equals(await alone(original, 301)), name).toBe(true)
    const { exif, xmp, icc, orientation } = await sharp(data).metadata()
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined])
  }
})

test('16 bits with a profile keep their colours in every size', async () => {
  const { upload } = uploaderOf((await composeForTest()).api)
  const red = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#ff0000' } })
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const { body } = await upload(await sharp(red).keepIccProfile().toColourspace('rgb16').png().toBuffer())
  for (const format of ['webp', 'jpg', 'png']) {
    const { data } = await get(body, `w=32&format=${format}`)
    const [r, g, b] = await sharp(data).raw().toBuffer()
    expect([r! > 248, Math.max(g!, b!) < 12], format).toEqual([true, true])
  }
})

test('where the original is gone or taken no more, a size is made from what is served', async () => {
  const { api, dataDir } = await composeForTest()
  const { body } = await uploaderOf(api).upload(await scene(1600, 1200).jpeg().toBuffer())
  const { project_id, id } = body.file
  const original = path.join(dataDir, 'objects/media', project_id, id, 'original')
  writeFileSync(original, await scene(16_385, 8).jpeg().toBuffer())
  const sizes = [await get(body, 'w=400&format=webp')]
  rmSync(original)
  sizes.push(await get(body, 'w=400&format=png'))
  for (const { status, data } of sizes) {
    expect(status).toBe(200)
    expect(await similarity(data, scene(1600, 1200))).toBeGreaterThan(0.9)
  }
})

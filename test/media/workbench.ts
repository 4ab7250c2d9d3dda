import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { createImagePool, type ImagePoolOptions } from '../../server/media/images/pool.ts'
import type { ConvertRequest, ResizeRequest } from '../../server/media/images/port.ts'

/** A pool, and a folder for what goes in and comes out. */
export async function openWorkbench(options: ImagePoolOptions = {}) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'images-'))
  const pool = createImagePool({ size: 2, prewarm: false, ...options })
  let count = 0
  const put = async (content: Buffer) => {
    // No name gives a hint of what is inside.
    const file = path.join(folder, `${count++}.jpg`)
    await writeFile(file, content)
    return file
  }
  const nextOutput = () => path.join(folder, `${count++}.out`)
  return {
    pool,
    folder,
    put,
    nextOutput,
    async convert(content: Buffer, settings: Partial<ConvertRequest> = {}) {
      const output = settings.output ?? nextOutput()
      const result = await pool.convert({
        effort: 0,
        tenant: 'one',
        ...settings,
        input: await put(content),
        output,
      })
      return { ...result, data: await readFile(output) }
    },
    async resize(content: Buffer, settings: Omit<ResizeRequest, 'input' | 'output' | 'tenant'>) {
      const output = nextOutput()
      const result = await pool.resize({ input: await put(content), output, tenant: 'one', ...settings })
      return { ...result, data: await readFile(output) }
    },
    async close() {
      await pool.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Through the way libheif's own page shows, which the service does not take. */
export async function referenceHeic(heic: Buffer): Promise<Sharp> {
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle')
  const [image] = new libheif.HeifDecoder().decode(heic)
  const [width, height] = [image.get_width(), image.get_height()]
  const canvas = { data: new Uint8ClampedArray(width * height * 4), width, height }
  await new Promise((resolve) => image.display(canvas, resolve))
  return sharp(Buffer.from(canvas.data.buffer), { raw: { width, height, channels: 4 } }).removeAlpha()
}

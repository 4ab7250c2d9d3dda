import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

/** `console/dist`, with a packed copy of each file that is worth it: what is packed once need not be for each viewer. */
export async function buildConsole(folder: string): Promise<void> {
  const configFile = path.join(folder, 'vite.config.ts')
  // By Node itself: a bundler would look for what only developers have.
  await build({ root: folder, configFile, configLoader: 'native', logLevel: 'warn' })
  const dist = path.join(folder, 'dist')
  for (const file of globSync('**/*.{js,css,svg}', { cwd: dist })) {
    const content = readFileSync(path.join(dist, file))
    const packed = brotliCompressSync(content)
    if (packed.length < content.length) writeFileSync(path.join(dist, `${file}.br`), packed)
  }
}

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { installFor } from './install.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Players as their own introductions have them, with their usual controls. */
const OTHERS = [
  { name: '@mux/mux-player', version: '3.14.0', page: `import '@mux/mux-player'` },
  {
    name: 'video.js',
    version: '8.24.1',
    page: `import videojs from 'video.js'; videojs(document.querySelector('video'))`,
  },
  {
    name: 'vidstack',
    version: '1.15.6',
    page: `import 'vidstack/player'; import 'vidstack/player/layouts/default'; import 'vidstack/player/ui'`,
    // It loads hls.js from elsewhere when it is about to play HLS.
    besides: 'hls.js/dist/hls.min.js',
  },
]

/** What a page loads of our player to play HLS with controls. */
export async function weighOurs(): Promise<number> {
  const files = ['index', 'hls', 'media-chrome'].map((name) => `packages/player/dist/${name}.js`)
  return files.reduce((sum, file) => sum + compressed(readFileSync(path.join(ROOT, file))), 0)
}

/** The same of others, installed for this and built as ours is. Of what they load later, only hls.js is counted. */
export async function weighOthers(): Promise<{ name: string; version: string; bytes: number }[]> {
  const { folder, remove } = installFor(OTHERS.map(({ name, version }) => `${name}@${version}`))
  try {
    const weighed = []
    for (const { name, version, page, besides } of OTHERS) {
      const more = besides ? compressed(readFileSync(new URL(import.meta.resolve(besides)))) : 0
      weighed.push({ name, version, bytes: (await weigh(folder, page)) + more })
    }
    return weighed
  } finally {
    remove()
  }
}

async function weigh(folder: string, page: string): Promise<number> {
  const input = path.join(folder, 'page.js')
  writeFileSync(input, page)
  const made = await rolldown({
    input,
    platform: 'browser',
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    onLog() {},
  })
  const { output } = await made.generate({ format: 'esm', minify: true, comments: false })
  await made.close()
  const chunks = new Map(
    output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  )
  const atOnce = new Set<string>()
  const add = (name: string) => {
    if (atOnce.has(name) || !chunks.has(name)) return
    atOnce.add(name)
    for (const next of chunks.get(name)!.imports) add(next)
  }
  add(output[0].fileName)
  return [...atOnce].reduce((sum, name) => sum + compressed(chunks.get(name)!.code), 0)
}

function compressed(code: string | Buffer): number {
  return gzipSync(code, { level: 9 }).length
}

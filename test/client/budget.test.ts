import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const dist = path.resolve(import.meta.dirname, '../../packages/client/dist')

test('the whole client is at most 4 KB on the wire', () => {
  const script = readFileSync(path.join(dist, 'index.js'))
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(4096)
  expect(brotliCompressSync(script).length).toBeLessThanOrEqual(4096)
})

test('what makes addresses of images is less than 1 KB beside it', () => {
  const script = readFileSync(path.join(dist, 'pictures.js'))
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(1024)
})

test('what an app does not import is not in its bundle', async () => {
  const bundled = async (names: string) => {
    const made = await rolldown({
      input: 'app',
      plugins: [
        {
          name: 'app',
          resolveId: (id) => (id === 'app' ? id : undefined),
          load: (id) =>
            id === 'app' ? `export { ${names} } from '${path.join(dist, 'index.js')}'` : undefined,
        },
      ],
    })
    const { output } = await made.generate({ format: 'esm', minify: true })
    await made.close()
    return output[0].code
  }
  const all = await bundled('attempt, createClient, follow, MarqueeError, paginate, uploads')
  const calls = await bundled('createClient')
  expect(gzipSync(calls).length).toBeLessThan(gzipSync(all).length * 0.6)
  expect(all).toContain('/upload/init')
  expect(all).toContain('text/event-stream')
  expect(calls).not.toMatch(/upload|event-stream|next_cursor/)
})

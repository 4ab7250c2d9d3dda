import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
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

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const dist = path.resolve(import.meta.dirname, '../../packages/player/dist')
const packed = (name: string) => gzipSync(readFileSync(path.join(dist, name)), { level: 9 }).length

test('the player itself is at most 12 KB on the wire, without hls.js and media-chrome', () => {
  expect(packed('index.js')).toBeLessThanOrEqual(12 * 1024)
  expect(packed('core.js')).toBeLessThanOrEqual(5 * 1024)
  const script = readFileSync(path.join(dist, 'index.js'), 'utf8')
  expect(script).toContain('import(`./hls.js`)')
  expect(script).toContain('import(`./media-chrome.js`)')
  expect(script).not.toMatch(/^import/m)
})

test('the feed is at most 10 KB more, and has nothing twice that the player has', () => {
  expect(packed('feed.js')).toBeLessThanOrEqual(10 * 1024)
  const script = readFileSync(path.join(dist, 'feed.js'), 'utf8')
  expect(script.match(/^import.*?from.*?;/)?.[0]).toMatch(/from[`'"]\.\/index\.js[`'"];$/)
  expect(script).not.toContain('hls.js')
})

import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

interface Chunk {
  file: string
  imports?: string[]
}

const dist = path.resolve(import.meta.dirname, '../../console/dist')
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'),
)

/** The scripts of an entry and all that it imports at once, each a single time. */
function scriptsOf(entries: string[]): string[] {
  const found = new Set<string>()
  const add = (name: string) => {
    const { file, imports = [] } = manifest[name]!
    if (found.has(file)) return
    found.add(file)
    for (const one of imports) add(one)
  }
  for (const entry of entries) add(entry)
  return [...found]
}

/** What is smaller as it is has no packed copy. */
function packed(file: string): number {
  const copy = path.join(dist, `${file}.br`)
  return statSync(existsSync(copy) ? copy : path.join(dist, file)).size
}

/** Every page, and every section of the settings within theirs. */
const PAGES = Object.keys(manifest).filter((name) => /^src\/pages\/.*-(page|section)\.tsx$/.test(name))
const SETTINGS = 'src/pages/settings/settings-page.tsx'

test('every page has a file of its own', () => {
  expect(PAGES).toContain(SETTINGS)
  expect(PAGES.length).toBeGreaterThan(20)
})

test.each(PAGES)('the first view of %s is at most 150 KB of script on the wire', (page) => {
  const around = page.endsWith('-section.tsx') ? [SETTINGS] : []
  const scripts = scriptsOf(['index.html', ...around, page])
  expect(scripts.reduce((sum, file) => sum + packed(file), 0)).toBeLessThanOrEqual(150_000)
})

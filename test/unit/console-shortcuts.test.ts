import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SHORTCUTS, type ShortcutId, shortcutOf } from '../../console/src/shortcuts/shortcuts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const IDS = Object.keys(SHORTCUTS) as ShortcutId[]
/** The player's and the feed's are handled by packages of their own. */
const ELSEWHERE = ['player', 'preview']
/** A browser does these by itself: they press a button, and tick a box. */
const NATIVE: ShortcutId[] = ['takePost', 'pick']

const sources = globSync('console/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/console\/src\/(words|shortcuts)\//.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

test('what the help lists is handled somewhere', () => {
  const own = IDS.filter((id) => !ELSEWHERE.includes(shortcutOf(id).place) && !NATIVE.includes(id))
  const all = sources.map(({ text }) => text).join('\n')
  expect(own.filter((id) => !new RegExp(`\\b${id}\\b`).test(all))).toEqual([])
})

test('no key is handled that the help does not list', () => {
  const asking = sources.filter(({ text }) =>
    /\b(event|e)\.(key|code)\b|\{ key[ ,}][^\n]*KeyboardEvent/.test(text),
  )
  expect(asking.map(({ file }) => file)).toEqual([])
})

test.each([
  ['player', 'packages/player/src/keyboard.ts'],
  ['preview', 'packages/player/src/feed-keyboard.ts'],
])('the keys of the %s are those that it has', (place, file) => {
  const source = readFileSync(path.join(root, file), 'utf8')
  const has = keysIn(source, 'KEYS')
  if (place === 'player') has.push('0–9', ...keysIn(source, 'JUMPS').map((key) => `jump+${key}`))
  const listed = IDS.filter((id) => shortcutOf(id).place === place).flatMap((id) => shortcutOf(id).keys)
  const named = (key: string) => (key === 'Space' ? ' ' : key).toLowerCase()
  expect(listed.map(named).sort()).toEqual(has.map(named).sort())
})

function keysIn(source: string, name: string): string[] {
  const table = new RegExp(`const ${name}[^{]*\\{(.*?)\\n\\}`, 's').exec(source)![1]!
  return [...table.matchAll(/^ {2}(?:'(.+?)'|(\w+)):/gm)].map(([, quoted, plain]) => quoted ?? plain!)
}

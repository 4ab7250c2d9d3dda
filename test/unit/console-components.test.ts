import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const src = path.resolve(import.meta.dirname, '../../console/src')
const read = (pattern: string) =>
  globSync(pattern, { cwd: src }).map((file) => readFileSync(path.join(src, file), 'utf8'))

test('the page of components shows every component of the folder', () => {
  const shown = read('pages/components/*.tsx').join('\n')
  const components = read('components/*.tsx').flatMap((source) =>
    [...source.matchAll(/^export (?:function|const) ([A-Z][a-z]\w*)/gm)].map(([, name]) => name!),
  )
  expect(components.length).toBeGreaterThan(30)
  // What a menu opens, what shows notes, and what is loaded when it is needed, are shown by what opens them.
  const opened: Record<string, string> = {
    MenuPopup: '<Menu ',
    DialogPopup: '<Dialog\\s',
    Toasts: 'useNotify()',
    Toast: 'useNotify()',
    ConfirmDeleteDialog: '<ConfirmDelete ',
    TimeChart: '<LazyChart\\s',
  }
  const missing = components.filter((name) => !new RegExp(opened[name] ?? `<${name}[\\s/>]`).test(shown))
  expect(missing).toEqual([])
})

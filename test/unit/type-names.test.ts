import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const DECLARED = /^(?:export )?(?:interface|type|class) ([A-Z]\w+)/gm

test('a type name is declared once: whoever searches for it finds what it means', () => {
  const declared = globSync('server/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(DECLARED)].map(([, name]) => ({
      name: name!,
      file,
    })),
  )
  expect(declared.length).toBeGreaterThan(500)
  const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1)
  expect(twice.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([])
})

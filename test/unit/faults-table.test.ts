import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PROMISES } from '../faults/promises.ts'

const root = path.resolve(import.meta.dirname, '../..')
const listed = PROMISES.flatMap(({ files }) => files)

test('docs/faults.md tells of every file that breaks something, as a run has seen it', () => {
  const table = readFileSync(path.join(root, 'docs/faults.md'), 'utf8')
  for (const file of globSync('faults/*.test.ts', { cwd: path.join(root, 'test') }))
    expect(listed, 'test/faults/promises.ts').toContain(file)
  for (const { fault, promise } of PROMISES) expect(table).toContain(`| ${fault} | ${promise} |`)
  for (const file of listed) expect(table).toMatch(new RegExp(`\\(\\.\\./test/${file}\\): .*kept`))
  expect(table).not.toContain('not kept')
})

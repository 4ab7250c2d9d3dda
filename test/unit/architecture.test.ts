import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8')

const linksOf = (text: string) => [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target!)

test('every file that ARCHITECTURE.md links or names is there', () => {
  const links = linksOf(architecture)
  expect(links.length).toBeGreaterThan(40)
  expect(links.filter((target) => !existsSync(path.join(root, target)))).toEqual([])

  // Names leave out what the sentence has said before: `spool/set-aside.ts`.
  const files = globSync('{server,packages/*/src,test,bench}/**/*.ts', { cwd: root }).map(
    (file) => `/${file}`,
  )
  const named = [...architecture.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([])
})

test('the way of a video passes as many files as it says', () => {
  const section = architecture.split(/^## /m).find((text) => text.startsWith('The way of a video\n'))!
  const said = Number(/passes (\d+) files/.exec(section)?.[1])
  expect(new Set(linksOf(section)).size).toBe(said)
})

import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/service.ts'

const PROGRAM = `
  const { buildPackages } = await import('./bootstrap/packages.mjs')
  await buildPackages(process.execPath)`

/** A clone that nothing was built in yet. */
function cloneUnbuilt(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-clone-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of [
    'bootstrap',
    'scripts',
    'packages',
    'console',
    'package.json',
    'package-lock.json',
    'LICENSE',
  ])
    cpSync(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => !/^(dist|node_modules)$/.test(path.basename(file)),
    })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

/** What every command does before it begins: whether it has built. */
function hasBuilt(folder: string): boolean {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  return stderr.includes('building the packages for pages and the console')
}

const servedOf = (folder: string) =>
  globSync('console/dist/assets/*.{js,css}', { cwd: folder }).map((file) =>
    readFileSync(path.join(folder, file), 'utf8'),
  )

test('the console is built when a source of it is another, and only then', { timeout: 300_000 }, () => {
  const folder = cloneUnbuilt()
  expect(hasBuilt(folder)).toBe(true)
  expect(servedOf(folder).length).toBeGreaterThan(10)
  expect(hasBuilt(folder)).toBe(false)

  // As after a checkout: another time, the same content.
  const source = path.join(folder, 'console/src/styles/tokens.css')
  utimesSync(source, new Date(), new Date())
  expect(hasBuilt(folder)).toBe(false)

  appendFileSync(source, ':root { --seen-by-nobody: 7px; }\n')
  expect(hasBuilt(folder)).toBe(true)
  expect(servedOf(folder).filter((text) => text.includes('--seen-by-nobody'))).toHaveLength(1)
  expect(hasBuilt(folder)).toBe(false)

  rmSync(path.join(folder, 'console/dist'), { recursive: true })
  expect(hasBuilt(folder)).toBe(true)
})

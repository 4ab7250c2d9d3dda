import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../support/service.ts'

const run = promisify(execFile)
const packageFolder = path.join(root, 'packages/player')

const STRICT = `
import type { Labels, MarqueePlayer, PlayerState } from '@marquee/player'
import '@marquee/player'
import { createPlayer, type Source } from '@marquee/player/core'
const element: MarqueePlayer = document.createElement('marquee-player')
const labels: Labels = { Play: 'Abspielen', 'Try again': 'Noch einmal' }
element.labels = labels
element.tracker = { attach: (video) => () => video.pause() }
export const state: PlayerState = element.player.state
const source: Source = { src: 'https://media.example.com/cdn/a/b' }
createPlayer(document.createElement('video')).load(source)
// @ts-expect-error: a source has an address.
createPlayer(document.createElement('video')).load({})
`

test('packed and installed in a fresh project, it works in JavaScript, on a server too, and in strict TypeScript', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'marquee-pack-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const npm = (...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  const packed = await npm('pack', packageFolder, '--json', '--ignore-scripts')
  const [{ filename, files }] = JSON.parse(packed.stdout)
  const names = files.map((file: { path: string }) => file.path)
  const expected = ['README.md', 'dist/index.js', 'dist/hls.js', 'dist/media-chrome.js', 'dist/react.d.ts']
  expect(names).toEqual(expect.arrayContaining(expected))
  expect(names.filter((name: string) => /src|\.built/.test(name))).toEqual([])

  await writeFile(path.join(folder, 'package.json'), '{"type": "module", "private": true}')
  await npm('install', `./${filename}`)
  const readme = await readFile(path.join(packageFolder, 'README.md'), 'utf8')
  await writeFile(path.join(folder, 'example.js'), /```js\n(.*?)```/s.exec(readme)![1]!)
  const example = await run(process.execPath, ['example.js'], { cwd: folder })
  expect(example.stdout).toBe('function function function -1\n')

  await writeFile(path.join(folder, 'strict.ts'), STRICT)
  const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '--strict', '--noEmit', 'strict.ts']
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom']
  await run(process.execPath, [...tsc, ...options], { cwd: folder }).catch((error) => {
    throw new Error(error.stdout)
  })
})

test('the React component renders the element, also on a server', async () => {
  const react = path.join(packageFolder, 'dist/react.js')
  const { renderToString } = createRequire(import.meta.url)('react-dom/server')
  const [{ MarqueePlayer }, { createElement }] = await Promise.all([import(react), import('react')])
  const html = renderToString(
    createElement(MarqueePlayer, { post: 'feed_a/post_b', muted: true, loop: false }),
  )
  expect(html).toBe('<marquee-player post="feed_a/post_b" muted=""></marquee-player>')
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { root } from '../support/service.ts'

const packageFolder = path.join(root, 'packages/player')

const STRICT = `
import type { Labels, MarqueePlayer, PlayerState } from '@marquee/player'
import '@marquee/player'
import { createPlayer, type Source } from '@marquee/player/core'
import type { Post } from '@marquee/player/feed'
import '@marquee/player/feed'
const element: MarqueePlayer = document.createElement('marquee-player')
const labels: Labels = { Play: 'Abspielen', 'Try again': 'Noch einmal' }
element.labels = labels
element.tracker = { attach: (video) => () => video.pause() }
export const state: PlayerState = element.player.state
const source: Source = { src: 'https://media.example.com/cdn/a/b' }
createPlayer(document.createElement('video')).load(source)
const feed = document.createElement('marquee-feed')
feed.labels = labels
feed.addEventListener('postchange', () => feed.next())
export const post: Post | undefined = feed.post
// @ts-expect-error: which post is seen is up to the viewer.
feed.post = undefined
// @ts-expect-error: a source has an address.
createPlayer(document.createElement('video')).load({})
`

test('packed and installed in a fresh project, it works in JavaScript, on a server too, and in strict TypeScript', async () => {
  const { names, example, runScript, checkTypes } = await installPacked('player')
  const expected = [
    'README.md',
    'dist/index.js',
    'dist/hls.js',
    'dist/media-chrome.js',
    'dist/feed.js',
    'dist/react.d.ts',
    'dist/LICENSES.txt',
  ]
  expect(names).toEqual(expect.arrayContaining(expected))
  expect(await runScript(await example())).toBe('function function function -1\n')
  await checkTypes(STRICT)
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

test('the React component of the feed renders it, also on a server', async () => {
  const react = path.join(packageFolder, 'dist/react.js')
  const { renderToString } = createRequire(import.meta.url)('react-dom/server')
  const [{ MarqueeFeed }, { createElement }] = await Promise.all([import(react), import('react')])
  const html = renderToString(
    createElement(MarqueeFeed, { feed: 'feed_a', resume: 'none', onPostChange() {} }),
  )
  expect(html).toBe('<marquee-feed feed="feed_a" resume="none"></marquee-feed>')
})

test('the licences of everything that is bundled into it are beside it, also where pages load it from', async () => {
  const licenses = readFileSync(path.join(packageFolder, 'dist/LICENSES.txt'), 'utf8')
  for (const name of ['hls.js', 'media-chrome', 'eventemitter3', 'url-toolkit', '@svta/cml-id3']) {
    const text = readFileSync(path.join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim()
    expect(licenses, name).toContain(`\n${name} (`)
    expect(licenses, name).toContain(text)
  }
  expect(licenses).toContain('Copyright (c) Evan Wallace\n\nPermission is hereby granted')

  for (const name of ['index.js', 'hls.js', 'media-chrome.js'])
    expect(readFileSync(path.join(packageFolder, 'dist', name), 'utf8'), name).toMatch(/^\/\*! LICENSES\.txt/)
  const { url } = await composeForTest()
  const served = await fetch(`${url}/sdk/player/0.1.0/LICENSES.txt`)
  expect(served.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(await served.text()).toBe(licenses)
})

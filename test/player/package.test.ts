import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { composeForTest } from '../support/in-process.ts'
import { installPacked } from '../support/packed.ts'
import { root } from '../support/service.ts'

const packageFolder = path.join(root, 'packages/player')

const STRICT = `
import type { Chapter, Choice, Labels, MarqueePlayer, PlayerState, Rung, TrackerLike, Trouble } from '@marquee/player'
import '@marquee/player'
import { AUTO, createPlayer, findSource, Refusal, type Source, type Wanted } from '@marquee/player/core'
import type { Picture, Post, PostPage, ReadPage, ReadToken } from '@marquee/player/feed'
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
const tracker: TrackerLike = { attach: (_, { contentId, state }) => () => [contentId, state?.().chapter] }
feed.tracker = tracker
const { rungs, chapters, audios, trouble, status } = element.player.state
export const told: [Rung | undefined, Chapter | undefined, Choice | undefined, Trouble | undefined] = [rungs[0], chapters[0], audios[0], trouble]
if (status === 'ready') element.player.chooseRung(AUTO)
const wanted: Wanted = { url: 'https://media.example.com', post: 'feed_a/post_b', token: null }
findSource(wanted, new AbortController().signal).catch((error) => error instanceof Refusal && error.requestId)
const readPage: ReadPage = async (cursor, signal): Promise<PostPage> => (await fetch(cursor ?? '', { signal })).json()
const readToken: ReadToken = async ({ video }) => video?.id
feed.readPage = readPage
feed.readToken = readToken
export const picture: Picture | undefined = feed.post?.image
element.addEventListener('fail', () => element.media.pause())
// @ts-expect-error: which post is seen is up to the viewer.
feed.post = undefined
// @ts-expect-error: a source has an address.
createPlayer(document.createElement('video')).load({})
`

/** As an app of React has it; JSX is checked by these very types. */
const STRICT_REACT = `
import { MarqueeFeed, MarqueePlayer, type MarqueePlayerProps } from '@marquee/player/react'
import type { MarqueePlayer as Element } from '@marquee/player'
import { createElement, createRef, type JSX } from 'react'
const ref = createRef<Element>()
export const made = [
  createElement(MarqueePlayer, { ref, post: 'a/b', apiKey: 'pk', muted: true, labels: { Play: 'Abspielen' }, className: 'film' }),
  createElement(MarqueeFeed, { feed: 'feed_a', onPostChange: ({ post, index }) => [post.id, index.toFixed()] }),
]
export const props: MarqueePlayerProps = { ref: (element) => void element?.play(), start: 3, style: { width: 300 } }
export const tags: [JSX.IntrinsicElements['marquee-player'], JSX.IntrinsicElements['marquee-feed']] = [
  { ref, video: 'vid_a', token: 't', id: 'film' },
  { feed: 'feed_a', resume: 'none' },
]
// @ts-expect-error: a player starts at a number of seconds.
createElement(MarqueePlayer, { start: 'later' })
// @ts-expect-error: a ref is one of the player.
createElement(MarqueePlayer, { ref: createRef<HTMLInputElement>() })
// @ts-expect-error: a feed has an id.
createElement(MarqueeFeed, {})
// @ts-expect-error: the tag knows no such attribute.
export const wrong: JSX.IntrinsicElements['marquee-player'] = { film: 'vid_a' }
`

/** The tags and the components as they are written. */
const STRICT_JSX = `
import { MarqueeFeed, MarqueePlayer } from '@marquee/player/react'
import type { MarqueeFeed as Feed, Post } from '@marquee/player/feed'
import { useRef, useState } from 'react'
export function Page() {
  const feed = useRef<Feed>(null)
  const [post, setPost] = useState<Post>()
  return (
    <main onClick={() => feed.current?.next()}>
      <MarqueePlayer post="feed_a/post_b" apiKey="mq_pk_a" autoplay muted loop start={3} captions="en" onClick={({ currentTarget }) => currentTarget.play()} />
      <MarqueeFeed ref={feed} feed="feed_a" onPostChange={({ post }) => setPost(post)} readToken={async () => undefined} />
      <marquee-player video="vid_a" token="t" heading={post?.id} nocontrols />
      <marquee-feed feed="feed_a" resume="none" />
      {/* @ts-expect-error: a feed is named. */}
      <marquee-feed />
      {/* @ts-expect-error: it is muted or not. */}
      <MarqueePlayer muted="yes" />
    </main>
  )
}
`

test('packed and installed in a fresh project, it works in JavaScript, on a server too, and in strict TypeScript', async () => {
  const { names, example, runScript, checkTypes, link } = await installPacked('player')
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
  await link('@types/react')
  await checkTypes(STRICT_REACT)
  await checkTypes(STRICT_JSX, ['--jsx', 'react-jsx'], 'strict.tsx')
})

test('the React component renders the element, also on a server', async () => {
  const react = path.join(packageFolder, 'dist/react.js')
  const { renderToString } = createRequire(import.meta.url)('react-dom/server')
  const [{ MarqueePlayer }, { createElement }] = await Promise.all([import(react), import('react')])
  const html = renderToString(
    createElement(MarqueePlayer, { post: 'feed_a/post_b', muted: true, loop: false }),
  )
  expect(html).toBe('<marquee-player post="feed_a/post_b" muted=""></marquee-player>')
  // React 18 gives a component no `ref` in any other form.
  expect(MarqueePlayer.$$typeof).toBe(Symbol.for('react.forward_ref'))
})

test('the React component of the feed renders it, also on a server', async () => {
  const react = path.join(packageFolder, 'dist/react.js')
  const { renderToString } = createRequire(import.meta.url)('react-dom/server')
  const [{ MarqueeFeed }, { createElement }] = await Promise.all([import(react), import('react')])
  const html = renderToString(
    createElement(MarqueeFeed, { feed: 'feed_a', resume: 'none', onPostChange() {} }),
  )
  expect(html).toBe('<marquee-feed feed="feed_a" resume="none"></marquee-feed>')
  expect(MarqueeFeed.$$typeof).toBe(Symbol.for('react.forward_ref'))
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

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { serveApp } from '../support/player/bundle.ts'
import { ask, goesOn, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { expectPlaying, publishPosts, seen } from '../support/player/feed-page.ts'
import { snippetsOf } from '../support/player/snippets.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

/** An app whose player has the properties that the page gives to `show`; without any, none. */
const APP = `
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { MarqueePlayer } from '@marquee/player/react'

const root = createRoot(document.querySelector('#app'))
globalThis.attached = []
const tracker = {
  attach(video, about) {
    attached.push(about.postId)
    return () => attached.push('detached')
  },
}
globalThis.refs = []
const ref = (element) => { refs.push(element ? 'element' : 'none') }
globalThis.show = (props) =>
  flushSync(() => root.render(props ? <MarqueePlayer {...props} tracker={tracker} ref={ref} /> : null))
`

/** The same of the feed. */
const FEED_APP = `
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { MarqueeFeed } from '@marquee/player/react'

const root = createRoot(document.querySelector('#app'))
globalThis.heard = []
let renders = 0
globalThis.show = (props) => {
  const render = ++renders
  const hear = ({ post }) => heard.push(post.description + ' by ' + render)
  flushSync(() => root.render(props ? <MarqueeFeed {...props} onPostChange={hear} /> : null))
}
`

interface Left {
  players: number
  sources: number
  listeners: string[]
}

const isFew = (players: number) => players <= 1

describe.skipIf(!hasBrowser)('the React component in a browser', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  const show = (page: Page, props: object | null) => page.evaluate(`show(${JSON.stringify(props)})`)

  test('plays, takes other properties while it does, and leaves nothing behind', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const [first, second] = [await publish(service), await publish(service, '640x480')]
    const page = await stage.show(`<div id="app"></div>${await serveApp(stage, APP)}`)
    await expect.poll(() => page.evaluate('typeof show')).toBe('function')
    const props = { url: service.url, post: first.post, muted: true, labels: { Settings: 'Einstellungen' } }
    await show(page, props)
    await play(page)
    expect(await look(page, ({ media }) => [media.muted, media.loop])).toEqual([true, false])
    // Rendered again with the same, or with what is seen only, it plays on, and is one thing to its tracker.
    await show(page, { ...props, heading: 'Films', loop: true, style: { maxWidth: '600px' } })
    await goesOn(page, 0.3)
    expect(await page.locator('[part=heading]').textContent()).toBe('Films')
    expect(await look(page, ({ media }) => media.loop)).toBe(true)
    expect(await ask(page, 'marquee-player', 'part.clientWidth')).toBe(600)
    expect(await page.evaluate('attached')).toEqual([first.postId])

    await show(page, { ...props, post: second.post })
    await expect.poll(() => look(page, ({ media }) => media.videoWidth / media.videoHeight)).toBe(640 / 480)
    await goesOn(page, 0.3)
    expect(await page.evaluate('attached')).toEqual([first.postId, 'detached', second.postId])
    // Paused by its button, another one waits to be played.
    await page.mouse.move(300, 300)
    await page.locator('media-play-button').click()
    await show(page, props)
    await expect
      .poll(() => look(page, ({ media }) => media.videoWidth / media.videoHeight))
      .toBeGreaterThan(1.7)
    expect(await look(page, ({ media }) => media.paused)).toBe(true)

    await show(page, null)
    await expect.poll(() => page.evaluate('attached.at(-1)')).toBe('detached')
    expect(await page.evaluate('refs.at(-1)')).toBe('none')
    for (let i = 0; i < 3; i++) {
      await show(page, props)
      await expect.poll(() => look(page, ({ media }) => media.readyState)).toBeGreaterThanOrEqual(2)
      await show(page, null)
    }
    // React itself may hold on to the last one until it renders again.
    await expect
      .poll(() => leftIn(page))
      .toEqual({ players: expect.toSatisfy(isFew), sources: 0, listeners: [] })
  })

  test('a feed goes from post to post, and tells the function that was given last', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { feed } = await publishPosts(service, ['video', 'image', 'video'])
    const page = await stage.show(`<div id="app"></div>${await serveApp(stage, FEED_APP)}`)
    await expect.poll(() => page.evaluate('typeof show')).toBe('function')
    const props = { url: service.url, feed, apiKey: service.seed.publishable_key }
    await show(page, props)
    await expectPlaying(page, '1')
    await show(page, { ...props, labels: { Next: 'Weiter' }, style: { height: '640px' } })
    await page.locator('marquee-feed').evaluate((feed) => (feed as unknown as { next(): void }).next())
    await expect.poll(() => seen(page)).toBe('2')
    // Rendered twice, it is heard once: by what was given the second time.
    expect(await page.evaluate('heard')).toEqual(['1 by 1', '2 by 2'])
    await show(page, null)
    expect(await page.evaluate('document.querySelectorAll("marquee-feed, video").length')).toBe(0)
  })

  test('its example plays', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    const [example] = snippetsOf('docs/player.md', 'jsx', { service, post })
    const [imports, element] = example!.trim().split('\n\n')
    const app = `
      import { createRoot } from 'react-dom/client'
      ${imports}
      const labels = { Play: 'Abspielen' }
      createRoot(document.querySelector('#app')).render(${element})`
    const page = await stage.show(`<div id="app"></div>${await serveApp(stage, app)}`)
    await page.locator('[part=play]').waitFor()
    await look(page, ({ media }) => {
      media.muted = true
    })
    await play(page)
    expect(await page.locator('[part=play]').getAttribute('aria-label')).toBe('Abspielen')
  })
})

/** What is still in the page's memory once what can be let go of is, and what its scripts still listen to. */
async function leftIn(page: Page): Promise<Left> {
  const session = await page.context().newCDPSession(page)
  const scripts = new Set<string>()
  session.on('Debugger.scriptParsed', ({ scriptId, url }) => url.startsWith('http') && scripts.add(scriptId))
  // What is looked at is held by looking, also for a while after the session: it would be found the next time.
  const objectGroup = 'left'
  const idOf = async (expression: string) =>
    (await session.send('Runtime.evaluate', { expression, objectGroup })).result.objectId!
  const count = async (expression: string) => {
    const prototypeObjectId = await idOf(expression)
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId, objectGroup })
    const { result } = await session.send('Runtime.callFunctionOn', {
      objectId: objects.objectId!,
      functionDeclaration: 'function () { return this.length }',
    })
    return result.value as number
  }
  try {
    await session.send('Debugger.enable')
    const players = await count(`customElements.get('marquee-player').prototype`)
    const sources = await count('MediaSource.prototype')
    const { listeners } = await session.send('DOMDebugger.getEventListeners', {
      objectId: await idOf('window'),
    })
    const ours = listeners.filter(({ scriptId }) => scripts.has(scriptId))
    return { players, sources, listeners: ours.map(({ type }) => type) }
  } finally {
    await session.send('Runtime.releaseObjectGroup', { objectGroup })
    await session.detach()
  }
}

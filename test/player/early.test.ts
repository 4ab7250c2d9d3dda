import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { snippetsOf } from '../support/player/snippets.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { root } from '../support/service.ts'

const dist = path.join(root, 'packages/player/dist')

describe.skipIf(!hasBrowser)('what is loaded before somebody plays', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  /** What a page has asked for, in its order, and what its console said. */
  function listen(page: Page) {
    const asked: string[] = []
    const said: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => said.push(message.text()))
    return { asked, said }
  }

  /** The scripts on the page's own site, where hls.js comes when the test says so. */
  function serveScripts(): () => void {
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    for (const name of ['index.js', 'hls.js', 'media-chrome.js'])
      stage.serve(`/sdk/player/${name}`, async (response) => {
        if (name === 'hls.js') await arrival
        response
          .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=60' })
          .end(readFileSync(path.join(dist, name)))
      })
    return arrive
  }

  test.each(['post', 'src'])('the playlist comes beside hls.js, not after it: by its %s', async (by) => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, post } = await publish(service)
    const arrive = serveScripts()
    let heard: ReturnType<typeof listen>
    const named = by === 'post' ? `post="${post}"` : `src="${video.file.url}"`
    const page = await stage.show(
      elementOf(service, `${named} muted`).replace(`${service.url}/sdk`, `${stage.url}/sdk`),
      {
        prepare: async (page) => {
          heard = listen(page)
        },
      },
    )
    const times = (address: string) => heard.asked.filter((one) => one === address).length
    await expect.poll(() => times(video.file.url)).toBe(1)
    expect(times(`${stage.url}/sdk/player/hls.js`)).toBe(1)
    expect(heard!.asked.some((one) => /\/v\d{3,}\//.test(one))).toBe(false)
    arrive()
    await expect.poll(() => look(page, ({ media }) => media.readyState)).toBeGreaterThanOrEqual(2)
    await play(page)
    await expectOnce(page, heard!)
  })

  test('a page that asks for everything in its head gets it once', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    const [head] = snippetsOf('docs/player.md', 'html', { service, post }).filter((one) =>
      one.includes('modulepreload'),
    )
    let heard: ReturnType<typeof listen>
    const page = await stage.show(
      elementOf(service, `post="${post}" muted`).replace('/sdk/player/', '/sdk/player/0.1.0/'),
      {
        head: head!,
        prepare: async (page) => {
          heard = listen(page)
        },
      },
    )
    await play(page)
    expect(heard!.asked.slice(1, 5).map((address) => new URL(address).pathname)).toEqual([
      ...['index.js', 'hls.js', 'media-chrome.js'].map((name) => `/sdk/player/0.1.0/${name}`),
      `/posts/v1/feeds/${post}`,
    ])
    await expectOnce(page, heard!)
  })

  test('nothing of the video is asked for where the page does not want it', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { post } = await publish(service)
    let heard: ReturnType<typeof listen>
    const page = await stage.show(elementOf(service, `post="${post}" muted preload="none"`), {
      prepare: async (page) => {
        heard = listen(page)
      },
    })
    await expect.poll(() => page.locator('[part=poster] img.ready').count()).toBe(1)
    await page.waitForLoadState('networkidle')
    expect(heard!.asked.filter((address) => /hls\.js|m3u8|\/v\d{3,}\//.test(address))).toEqual([])
    await play(page)
  })

  async function expectOnce(page: Page, { asked, said }: ReturnType<typeof listen>): Promise<void> {
    // Browsers complain of what was preloaded and not used some seconds after the page has loaded.
    await expect.poll(() => page.evaluate('performance.now()')).toBeGreaterThan(6000)
    const twice = asked.filter(
      (address, i) => asked.indexOf(address) !== i && !address.endsWith('favicon.ico'),
    )
    expect(twice).toEqual([])
    expect(said.filter((text) => /preload/i.test(text))).toEqual([])
  }
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { visitConsole } from '../support/console/console.ts'
import { publishPosts } from '../support/player/feed-page.ts'

/** What the browser refused on any page from here on. */
async function refusalsOf(page: Page): Promise<string[]> {
  const heard: string[] = []
  await page.exposeFunction('refused', (what: string) => heard.push(what))
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    refused([event.effectiveDirective, event.sourceFile, event.lineNumber, event.sample].join(' ')))`)
  return heard
}

describe.skipIf(!hasBrowser)('text that becomes elements', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('is refused on every page of the console, where nothing needs it but the player, by its own policy', async () => {
    const { page, service, api, go } = await visitConsole(browser, { env: { MARQUEE_ROLES: 'api' } })
    const { feed, media } = await publishPosts({ ...service, api }, ['video', 'image'], {
      visibility: 'public',
    })
    const [video, image] = media
    await api.post('/analytics/v1/events', { user_id: 'ada', events: [watchedBy(video!)] })
    const heard = await refusalsOf(page)

    const sections = ['keys', 'members', 'policies', 'projects', 'plan', 'billing', 'requests', 'account']
    const pages = ['', 'library', `images/${image}`, 'feeds', 'analytics', 'analytics/funnels']
    for (const to of [...pages, ...sections.map((section) => `settings/${section}`)]) {
      await go(to)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
    }
    // Charts are drawn by scripts of their own.
    await go('analytics')
    await page.locator('canvas').first().waitFor()

    await go(`videos/${video}`)
    const player = page.locator('marquee-player')
    await player.locator('[part=play]').click()
    await expect
      .poll(() => page.evaluate(`document.querySelector('marquee-player').media.currentTime`))
      .toBeGreaterThan(0.2)
    // The controls, which are others' code, are there with their time.
    const shownTime = `document.querySelector('marquee-player').shadowRoot.querySelector('media-time-display').shadowRoot.textContent`
    await expect.poll(() => page.evaluate(shownTime)).toMatch(/\d:\d\d/)
    await player.locator('[part=settings]').click()

    await go(`feeds/${feed}`)
    await expect.poll(() => page.locator('marquee-feed [part=stage]').count()).toBeGreaterThan(0)
    expect(heard).toEqual([])

    const tried = await page.evaluate(`(() => {
      const outcomes = []
      const attempt = (act) => {
        try { outcomes.push(String(act())) } catch ({ name }) { outcomes.push(name) }
      }
      const element = document.createElement('div')
      attempt(() => { element.innerHTML = '<img src=x onerror="self.hurt = 1">' })
      attempt(() => { document.body.insertAdjacentHTML('beforeend', '<b>text</b>') })
      attempt(() => { document.createElement('script').src = '/console/assets/other.js' })
      attempt(() => { trustedTypes.createPolicy('default', { createHTML: (text) => text }) })
      attempt(() => { trustedTypes.createPolicy('marquee-player', { createHTML: (text) => text }) })
      return outcomes
    })()`)
    expect(tried).toEqual(Array(5).fill('TypeError'))

    // The player's own policy is for markup alone.
    const own = await page.evaluate(`import('/sdk/player/index.js').then(({ trusted }) =>
      ['<script>1</' + 'script>', '<img src=x onerror=alert(1)>', '<b>text</b>'].map((markup) => {
        try { return String(trusted(markup)) } catch ({ name }) { return name }
      }))`)
    expect(own).toEqual(['TypeError', 'TypeError', '<b>text</b>'])
  })
})

function watchedBy(videoId: string) {
  const timestamp = new Date().toISOString()
  const seen = { content_id: videoId, content_type: 'MEDIA_TYPE_VIDEO', view_type: 'watch', page: 'feed' }
  return { timestamp, content_view: { ...seen, watch_duration_ms: '2s', video_total_duration_ms: '8s' } }
}

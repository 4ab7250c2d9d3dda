import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { snippetsOf } from '../support/player/snippets.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

describe.skipIf(!hasBrowser)('the examples of the player', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  async function start() {
    const service = await composeForTest(ONLY_WATCHED)
    return { service, ...(await publish(service)) }
  }

  test.each(['packages/player/README.md', 'docs/player.md'])(
    'those for pages in %s play',
    async (document) => {
      const named = await start()
      const pages = snippetsOf(document, 'html', named)
      const players = pages.filter((code) => code.includes('<marquee-player'))
      const heads = pages.filter((code) => code.includes('<link'))
      const feeds = pages.filter((code) => code.includes('<marquee-feed'))
      // Every example is one of these.
      expect(pages.length).toBe(players.length + heads.length + feeds.length)
      expect(players.length).toBeGreaterThan(0)
      for (const code of players) {
        const page = await stage.show(code, { head: heads.join('') })
        await page.locator('[part=play]').waitFor()
        await look(page, ({ media }) => {
          media.muted = true
        })
        await play(page)
      }
      // The first of them has the script that the others leave out.
      const [script] = /<script.*feed\.js.*/.exec(feeds.join(''))!
      for (const code of feeds) {
        const page = await stage.show(code.includes(script) ? code : script + code)
        const times = () => page.locator('marquee-feed video').evaluateAll(timesOf)
        await expect.poll(async () => Math.max(...(await times()))).toBeGreaterThan(0.3)
      }
    },
  )

  test('the words in another language', async () => {
    const { service, post } = await start()
    const [labels] = snippetsOf('docs/player.md', 'js', { service, post }).filter((code) =>
      code.includes('labels'),
    )
    const page = await stage.show(
      `${elementOf(service, `post="${post}" muted`)}<script type="module">${labels}</script>`,
    )
    await play(page)
    expect(await page.locator('media-play-button').getAttribute('aria-label')).toBe('Anhalten')
    expect(await page.locator('[part=retry]').textContent()).toBe('Noch einmal')
  })

  test('the core without an element', async () => {
    const { service, post } = await start()
    const [core] = snippetsOf('docs/player.md', 'js', { service, post }).filter((code) =>
      code.includes('@marquee/player/core'),
    )
    const imports = { '@marquee/player/core': `${service.url}/sdk/player/core.js` }
    const page = await stage.show(
      `<video muted></video><script type="module">${core}; globalThis.player = player; player.play()</script>`,
      { head: `<script type="importmap">${JSON.stringify({ imports })}</script>` },
    )
    await expect.poll(() => page.evaluate(`document.querySelector('video').currentTime`)).toBeGreaterThan(0.3)
    expect(await page.evaluate('player.state.status')).toBe('ready')
  })
})

const timesOf = (videos: unknown[]): number[] =>
  (videos as { currentTime: number }[]).map(({ currentTime }) => currentTime)

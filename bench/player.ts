import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser.ts'
import { plainHlsPage, startSite } from './baselines/plain-hls.ts'
import { makeFilm } from './support/film.ts'
import { line, median, print } from './support/report.ts'
import { weighOthers, weighOurs } from './support/script-weight.ts'
import { startService } from './support/service.ts'
import { watcherOf } from './support/watch.ts'

const ROUNDS = 15
const LIMITS = { MARQUEE_LIMIT_KEY_PER_MINUTE: '1000000000', MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '1000000000' }

/** How soon the player plays after a click, beside plain hls.js, and what its scripts weigh beside other players. */
export async function run(): Promise<void> {
  await compareWeights()
  await compareFirstFrames()
}

async function compareWeights(): Promise<void> {
  print('player: scripts that are loaded to play HLS, minified and compressed, beside other players from npm')
  const ours = await weighOurs()
  print(`  ours: ${ours.toLocaleString('en')} bytes`)
  for (const { name, version, bytes } of await weighOthers()) {
    print(`  ${name} ${version}: ${bytes.toLocaleString('en')} bytes`)
    line(`beside ${name}`, ours / bytes, { atMost: 1 })
  }
}

async function compareFirstFrames(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-bench-'))
  const service = await startService(LIMITS)
  const site = await startSite()
  const browser = await startBrowser()
  try {
    const watcher = watcherOf(service, folder)
    const film = await makeFilm(folder, 'short', { width: 1280, height: 720, seconds: 20, keyEvery: 60 })
    const videoId = await watcher.send(film, 'basic')
    const { playlist } = await watcher.complete(videoId)
    await watcher.untilAllIsMade(videoId)
    site.pages.set('/plain', plainHlsPage(playlist.href))
    site.pages.set('/ours', ourPage(service.url, playlist.href))
    for (const [what, wait] of [
      ['a click on a page that has been open for a while', 1500],
      ['a click as soon as there is something to click, from the opening of the page', 0],
    ] as const) {
      print(`player: ${what}, to the first frame that moves`)
      const taken: Record<string, number[]> = { plain: [], ours: [] }
      // In turn, so that both meet the same machine; the first round warms up and is not counted.
      for (let round = 0; round <= ROUNDS; round++)
        for (const name of ['plain', 'ours']) {
          const context = await browser.newContext({ viewport: { width: 1280, height: 720 } })
          const ms = await firstFrame(await context.newPage(), `${site.url}/${name}`, wait)
          await context.close()
          if (round > 0) taken[name]!.push(ms)
        }
      const [plain, ours] = [median(taken.plain!), median(taken.ours!)]
      print(`  plain hls.js ${plain.toFixed()} ms, ours ${ours.toFixed()} ms`)
      line('ours beside plain hls.js', ours / plain, { atMost: 1.1 })
    }
  } finally {
    await browser.close()
    await site.stop()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Milliseconds to the first frame after the click: from the click, or without a wait from the opening of the page. */
async function firstFrame(page: Page, address: string, wait: number): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction('globalThis.button?.()')
  await sleep(wait)
  return page.evaluate(`new Promise((resolve) => {
    const from = ${wait} > 0 ? performance.now() : 0
    const video = globalThis.video()
    video.addEventListener('playing', () =>
      video.requestVideoFrameCallback(() => resolve(performance.now() - from)), { once: true })
    globalThis.button().click()
  })`) as Promise<number>
}

function ourPage(service: string, playlist: string): string {
  return `<!doctype html><title>ours</title>
<link rel="modulepreload" href="${service}/sdk/player/hls.js">
<link rel="modulepreload" href="${service}/sdk/player/media-chrome.js">
<script type="module" src="${service}/sdk/player/index.js"></script>
<marquee-player src="${playlist}" muted style="width:1280px"></marquee-player>
<script>
const element = document.querySelector('marquee-player')
globalThis.video = () => element.media
globalThis.button = () => element.shadowRoot?.querySelector('[part=play]')
</script>`
}

import type { Page } from 'playwright-core'
import { untilTrue } from './until.ts'

export interface Scrolled {
  frames: number
  /** Above 50 ms: one that people can see is missing. */
  longFrames: number
  longestMs: number
  ms: number
  /** On the way, in tenths. */
  samples: { items: number; nodes: number; heapMb: number }[]
}

const SAMPLES = 10

/** Scrolls a grid to its end as its pages come, so many screens with each frame, and counts the frames meanwhile. */
export async function scrollToEnd(page: Page, screens: number): Promise<Scrolled> {
  const total = await totalOf(page)
  await page.evaluate(scrollingBy(screens))
  const devtools = await page.context().newCDPSession(page)
  const samples: Scrolled['samples'] = []
  for (let tenth = 1; tenth <= SAMPLES; tenth++) {
    const wanted = Math.floor((total * tenth) / SAMPLES) - 1
    await untilTrue(page, `scrolling.place() >= ${wanted}`)
    // It stands still while it is looked at. What nobody holds any more does not count.
    await page.evaluate('scrolling.pause()')
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const nodes = (await page.evaluate('document.querySelectorAll("*").length')) as number
    await page.evaluate('scrolling.goOn()')
    samples.push({ items: wanted + 1, nodes, heapMb: usedSize / 1e6 })
  }
  await page.evaluate('scrolling.pause()')
  const counted = (await page.evaluate('scrolling.counted()')) as Omit<Scrolled, 'samples'>
  await devtools.detach()
  return { ...counted, samples }
}

async function totalOf(page: Page): Promise<number> {
  await untilTrue(page, `/\\d/.test(document.querySelector('main [role=status]')?.textContent ?? '')`)
  const text = (await page.evaluate(`document.querySelector('main [role=status]').textContent`)) as string
  return Number(text.replaceAll(/\D/g, ''))
}

/** In the page. The last card says how far it has come. */
const scrollingBy = (screens: number) => `
  globalThis.scrolling = (() => {
    let [frames, longFrames, longestMs, ms, before, isOn] = [0, 0, 0, 0, 0, false]
    const place = () => Math.max(-1, ...[...document.querySelectorAll('[data-index]')].map((card) => Number(card.dataset.index)))
    function next(now) {
      if (!isOn) return
      const taken = now - before
      before = now
      frames++
      ms += taken
      if (taken > 50) longFrames++
      longestMs = Math.max(longestMs, taken)
      scrollBy(0, innerHeight * ${screens})
      requestAnimationFrame(next)
    }
    function goOn() {
      isOn = true
      requestAnimationFrame((now) => {
        before = now
        requestAnimationFrame(next)
      })
    }
    const pause = () => {
      isOn = false
    }
    goOn()
    return { place, pause, goOn, counted: () => ({ frames, longFrames, longestMs, ms }) }
  })()`

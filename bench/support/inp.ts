import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { installFor } from './install.ts'

const VERSION = '6.2.3'
/** As on a phone of some years ago. */
const SLOWDOWN = 4

/** What browsers tell of at all. */
const LEAST_MS = 16

/** The script that Google measures pages by, which hears every click and key until what follows from it is seen. */
export function webVitals(): string {
  const { folder, remove } = installFor([`web-vitals@${VERSION}`])
  const file = path.join(folder, 'node_modules/web-vitals/dist/web-vitals.iife.js')
  const script = readFileSync(file, 'utf8')
  remove()
  return `${script}
    globalThis.inp = 0
    globalThis.heard = 0
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => { globalThis.heard++ }, true)
    webVitals.onINP(({ value }) => { globalThis.inp = value }, { reportAllChanges: true, durationThreshold: 0 })`
}

export interface Interactions {
  address: string
  /** Brings the page to where it is measured. */
  prepare(page: Page): Promise<void>
  /** By the name of each kind. */
  kinds: Record<string, (page: Page) => Promise<void>>
}

/** Interaction to Next Paint in ms, of the slowest of each kind, on a processor that is slowed down. */
export async function inpOf(
  context: BrowserContext,
  script: string,
  { address, prepare, kinds }: Interactions,
): Promise<Record<string, number>> {
  const page = await context.newPage()
  try {
    await page.addInitScript(script)
    await page.goto(address)
    await prepare(page)
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    const measured: Record<string, number> = {}
    for (const [name, act] of Object.entries(kinds)) {
      await page.evaluate(BEGIN_ANEW)
      await act(page)
      // An interaction is told of after its frame; one that took no longer than a frame is not told of at all.
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 1000)))')
      if (!(await page.evaluate('globalThis.heard'))) throw new Error(`nothing happened: ${name}`)
      measured[name] = Math.max(LEAST_MS, (await page.evaluate('globalThis.inp')) as number)
    }
    return measured
  } finally {
    await page.close()
  }
}

/** As when somebody comes back to a page that the browser has kept: what was before does not count. */
const BEGIN_ANEW = `
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  globalThis.inp = 0
  globalThis.heard = 0`

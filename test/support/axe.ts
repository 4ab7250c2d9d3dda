import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, Page } from 'playwright-core'

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** What axe has against a page. */
export async function axe(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: SCRIPT })
  return violationsIn(page)
}

/** Brings axe into what a page shows from now on, also where its policy lets in no script of others. */
export async function prepareAxe(page: Page): Promise<void> {
  await page.addInitScript({ path: SCRIPT })
}

const PATIENCE_MS = 10_000

/**
 * What stays for a while: colours on their way from one theme to the other, or of what is busy for a moment, have too little
 * contrast, and nobody reads them.
 */
export const violationsIn = (page: Page | Frame): Promise<string[]> =>
  // Of WCAG 2.2 AA, and the only rule of it that axe leaves out unless it is asked for.
  lasting(page, { rules: { 'target-size': { enabled: true } } })

/** What another theme may change: a page that holds in one need not be read anew for all the rest. */
export const coloursIn = (page: Page): Promise<string[]> =>
  lasting(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })

async function lasting(page: Page | Frame, options: object): Promise<string[]> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const found = await violationsNow(page, options)
    if (found.length === 0 || Date.now() > deadline) return found
  }
}

function violationsNow(page: Page | Frame, options: object): Promise<string[]> {
  return page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run(asked)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, options)
}

interface Violation {
  id: string
  nodes: { html: string }[]
}

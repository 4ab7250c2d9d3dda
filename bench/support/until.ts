import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const PATIENCE_MS = 600_000

/** Waits until this is true in a page. Asked from outside: pages of the console evaluate no text themselves. */
export async function untilTrue(page: Page, expression: string, patienceMs = PATIENCE_MS): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(50))
    if (await page.evaluate(expression)) return
  throw new Error(`not so after ${patienceMs} ms: ${expression}`)
}

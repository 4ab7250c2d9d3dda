import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareAxe } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { holdAgainstAxe, shoot, visitConsole } from '../support/console/console.ts'

/** Longer than a note is shown. */
const LONG_MS = 20_000

describe.skipIf(!hasBrowser)('notes of the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('stay while somebody points at them or is in them, go by themselves, and are undone by a key', async () => {
    const { page, go } = await visitConsole(browser)
    await page.clock.install()
    await go('components')
    const notes = page.getByRole('region', { name: 'Notes' })
    const undo = notes.getByRole('button', { name: 'Undo' })
    const show = page.getByRole('button', { name: 'Done, with a way back' })
    const shown = notes.getByText('Deleted harbour.mp4')

    await show.click()
    await undo.hover()
    await page.clock.runFor(LONG_MS)
    expect(await shown.isVisible()).toBe(true)
    await page.mouse.move(0, 0)
    await page.clock.runFor(LONG_MS)
    await shown.waitFor({ state: 'detached' })

    await show.click()
    await undo.focus()
    await page.mouse.move(0, 0)
    await page.clock.runFor(LONG_MS)
    await page.keyboard.press('Enter')
    await shown.waitFor({ state: 'detached' })
    await notes.getByText('It is back').waitFor()

    await show.click()
    await shown.waitFor()
    await page.keyboard.press('Control+z')
    await shown.waitFor({ state: 'detached' })
    await expect.poll(() => notes.getByText('It is back').count()).toBe(2)
  })

  test('of what failed are not pushed out by others, and have the id of the request to copy', async () => {
    const { page, go } = await visitConsole(browser)
    await prepareAxe(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.clock.install()
    await go('components')
    const notes = page.getByRole('region', { name: 'Notes' })
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    const failed = notes.getByRole('alert')
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Done, with a way back' }).click()
    expect(await failed.isVisible()).toBe(true)
    expect(await notes.getByText('Deleted harbour.mp4').count()).toBe(3)
    await shoot(page, 'notes')
    await page.clock.runFor(LONG_MS)
    await notes.getByText('Deleted harbour.mp4').first().waitFor({ state: 'detached' })
    await holdAgainstAxe(page, 'note-failed')
    await failed.getByRole('button', { name: 'Copy' }).click()
    await failed.getByText('Copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^req_/)
    await failed.getByRole('button', { name: 'Dismiss' }).click()
    await failed.waitFor({ state: 'detached' })
  })
})

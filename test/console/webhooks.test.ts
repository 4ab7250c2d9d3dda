import type { Browser } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { shoot, visitConsole } from '../support/console/console.ts'
import { uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { says, scriptedServer } from '../support/scripted-server.ts'
import { TELLS_LOOPBACK } from '../webhooks/receiver.ts'

describe.skipIf(!hasBrowser)('webhooks in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('one is added, tried, told, looked at, replayed and deleted; the audit log tells by whom', async () => {
    const { page, go, api } = await visitConsole(browser, { env: TELLS_LOOPBACK })
    const receiver = await scriptedServer(says(503, { error: 'not yet' }), says(204))
    await prepareAxe(page)
    await go('settings/webhooks')
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${receiver.url}/hook`)
    await dialog.getByLabel('image.ready').check()
    await shoot(page, 'settings-webhook-form')
    await dialog.getByRole('button', { name: 'Create' }).click()
    const secret = await page.getByTestId('shown-once').innerText()
    await page.getByRole('button', { name: 'Done' }).click()

    const choose = async (action: string) => {
      await page.getByRole('button', { name: /^Actions on http/ }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await uploaderOf(api).upload(await smallJpeg())
    await choose('Deliveries')
    await page.waitForURL(/webhook=whk_/)
    const row = dialog.getByRole('row').filter({ hasText: 'image.ready' })
    await row.getByText('Delivered').waitFor()
    const { body, headers } = receiver.heard.at(-1)!
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'image.ready',
    })
    await row.getByRole('button', { name: 'Show' }).click()
    await dialog.getByText(/^503/).waitFor()
    await dialog.getByText('204').waitFor()
    await shoot(page, 'settings-webhook-delivery')
    expect(await violationsIn(page)).toEqual([])
    const before = receiver.heard.length
    await dialog.getByRole('button', { name: 'Replay' }).click()
    await expect.poll(() => receiver.heard.length).toBe(before + 1)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('table', { name: 'Webhooks' }).waitFor()
    await shoot(page, 'settings-webhooks')

    await choose('Switch off')
    await page.getByText('switched off by hand').waitFor()
    await choose('Delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    const log = page.getByRole('table', { name: 'Audit log' })
    await log.getByText('Webhook deleted').waitFor()
    expect(await log.getByText('owner@acme.example').count()).toBeGreaterThanOrEqual(3)
    await shoot(page, 'settings-audit')
    expect(await violationsIn(page)).toEqual([])
  })
})

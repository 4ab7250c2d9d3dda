import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { visitConsole } from '../support/console/console.ts'
import { local, uploaderOf } from '../support/media.ts'
import { smallJpeg } from '../support/posts.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const run = promisify(execFile)

describe.skipIf(!hasBrowser)('what the console has to copy', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('addresses, code and commands are copied as they are shown, and work; uses lead to their feeds', async () => {
    const { page, go, api, tenant } = await visitConsole(browser)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const video = await videoUploaderOf(api).upload(await clip(), { file_name: 'harbour.mp4' })
    const { body: image } = await uploaderOf(api).upload(await smallJpeg())
    const { body: feed } = await api.post('/feeds', { name: 'For you' })
    for (const id of [video.id, image.id as string])
      await api.post(`/feeds/${feed.id}/content`, { content_ids: [id], content_type: 'mixed' })

    /** Everything that is there to copy, by its name, as it comes out of the clipboard. */
    const copyAll = async () => {
      const lines = page.getByRole('region', { name: 'Addresses' }).getByRole('listitem')
      await lines.first().waitFor()
      const copied: Record<string, string> = {}
      for (const line of await lines.all()) {
        await line.getByRole('button', { name: 'Copy' }).click()
        await line.getByRole('status').filter({ hasText: 'Copied' }).waitFor()
        const text = await page.evaluate<string>('navigator.clipboard.readText()')
        expect(text).toBe(await line.locator('code').textContent())
        copied[await line.locator('span').first().innerText()] = text
      }
      return copied
    }
    /** As somebody who pastes it into a shell. */
    const typed = async (line: string) => {
      const env = { ...process.env, MARQUEE_API_KEY: tenant.secretKey }
      return JSON.parse((await run('sh', ['-c', `${line} --silent`], { env })).stdout)
    }
    const statusOf = async (address: string) => (await fetch(local(address))).status

    await go(`videos/${video.id}`)
    const { Embed, curl, ...addresses } = await copyAll()
    expect((await typed(curl!)).id).toBe(video.id)
    expect(Object.keys(addresses).length).toBeGreaterThan(3)
    for (const [name, address] of Object.entries(addresses)) expect(await statusOf(address), name).toBe(200)
    // The player comes from here, for pages of any site, and plays this video.
    const [, script, src] =
      /^<script type="module" src="([^"]+)"><\/script>\n<marquee-player src="([^"]+)">/.exec(Embed!)!
    const player = await fetch(script!, { headers: { origin: 'https://blog.example' } })
    expect([player.status, player.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(player.headers.get('content-type')).toContain('javascript')
    expect(`${src}/master.m3u8`).toBe(addresses.HLS)
    await page
      .getByRole('region', { name: 'Where it is used' })
      .getByRole('link', { name: 'For you' })
      .click()
    await page.waitForURL(`**/feeds/${feed.id}`)
    await page.getByRole('link', { name: 'harbour.mp4' }).waitFor()

    await go(`images/${image.id}`)
    const ofImage = await copyAll()
    expect((await typed(ofImage.curl!)).id).toBe(image.id)
    const [, shown] = /^<img src="(.*)" alt="">$/.exec(
      Object.values(ofImage).find((text) => text.startsWith('<img'))!,
    )!
    expect(await statusOf(shown!.replaceAll('&amp;', '&'))).toBe(200)
    await page.getByRole('region', { name: 'Where it is used' }).getByText('For you').waitFor()
    // Nothing shows it any more: it says so.
    await api.delete(`/feeds/${feed.id}`)
    await page.reload()
    await page
      .getByRole('region', { name: 'Where it is used' })
      .getByRole('link')
      .waitFor({ state: 'detached' })
  })
})

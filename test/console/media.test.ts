import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { bearer } from '../support/api.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { OWNER, shoot, type Visit, visitConsole } from '../support/console/console.ts'
import { local, uploaderOf } from '../support/media.ts'
import { look } from '../support/player/element.ts'
import { clip, videoUploaderOf } from '../support/video.ts'

const SECONDS = 12
const SOON = { timeout: 15_000 }
const LOOK = { env: { MARQUEE_TRASH_LIFETIME: '3600' }, reducedMotion: 'reduce' } as const

const SUBTITLES = `1
00:00:01,000 --> 00:00:02,500
The first line

2
00:00:06,000 --> 00:00:08,000
The second one
`

async function ownerOf({ service, projectId }: Visit) {
  const token = await service.tokenFor(OWNER.email)
  return service.api.as({ ...bearer(token), 'x-project-id': projectId })
}

/** Nothing against it in either theme, and nothing that is wider than a phone. */
async function holdAgainstRules(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await shoot(page, `${name}-1440-${colorScheme}`)
    // Colours that are on their way from one theme to the other have too little contrast.
    await expect.poll(() => violationsIn(page), { ...SOON, message: `${name} ${colorScheme}` }).toEqual([])
  }
  for (const width of [768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await shoot(page, `${name}-${width}`)
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
  }
}

describe.skipIf(!hasBrowser)('pages of media', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('a video is played, named, described, subtitled, and deleted and back', {
    timeout: 120_000,
  }, async () => {
    const visit = await visitConsole(browser, LOOK)
    const { page, go, projectId } = visit
    await prepareAxe(page)
    const api = await ownerOf(visit)
    const video = await videoUploaderOf(api).upload(await clip(SECONDS), { file_name: 'harbour.mp4' })
    await api.post('/analytics/v1/events', { project_id: projectId, events: watchedParts(video.id) })
    const read = async () => (await api.get(`/videos/${video.id}`)).body
    const viewers = async () => (await api.get(`/analytics/v1/videos/${video.id}/stats`)).body.unique_viewers
    await expect.poll(viewers, SOON).toBe(2)
    await go(`videos/${video.id}`)

    // What was watched is drawn below the player's timeline, as wide as it, and a click there goes there.
    await page.locator('marquee-player [part=play]').click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime), SOON).toBeGreaterThan(0.3)
    const chart = page.getByRole('slider', { name: 'Timeline' })
    const [own, below] = [await boxOf(page, 'marquee-player [part=timeline]'), await chart.boundingBox()]
    expect(Math.abs(own.x - below!.x) + Math.abs(own.width - below!.width)).toBeLessThan(1)
    await page.keyboard.press('k')
    await chart.hover({ position: { x: below!.width / 4, y: 20 } })
    await page.getByText('0:03 · 100%').waitFor()
    await chart.click({ position: { x: (below!.width * 7) / 12, y: 20 } })
    await expect.poll(() => look(page, ({ media }) => Math.round(media.currentTime * 10)), SOON).toBe(70)
    await page.getByRole('button', { name: 'As a table' }).click()
    await page.getByRole('row', { name: '0:06–0:07 200% 2 × the average' }).waitFor()

    // The frame that is seen becomes the poster.
    const before = (await read()).poster.id
    await page.getByRole('button', { name: 'Use this frame' }).click()
    await page.getByText('The poster is set.').waitFor()
    expect((await read()).poster.id).not.toBe(before)

    await look(page, ({ media }) => {
      media.currentTime = 7
    })

    // A chapter where it stands, with the title that is typed; another by its time.
    await page.getByRole('button', { name: 'Add at this time' }).click()
    await page.keyboard.type('The pier')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await read()).chapters, SOON)
      .toMatchObject([{ title: 'The pier', start_time_sec: 7 }])
    await look(page, ({ media }) => {
      media.currentTime = 0
    })
    await page.getByRole('button', { name: 'Add at this time' }).click()
    await page.keyboard.type('Arriving')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Start of chapter 2' }).fill('0:08.5')
    await page.keyboard.press('Enter')
    await page.getByRole('slider', { name: 'Move the start of The pier' }).press('ArrowRight')
    const chapters = [
      { title: 'Arriving', start_time_sec: 0, end_time_sec: 9.5 },
      { title: 'The pier', start_time_sec: 9.5 },
    ]
    await expect.poll(async () => (await read()).chapters, SOON).toMatchObject(chapters)
    const inPlayer = () => look(page, ({ player }) => (player as never as InPlayer).source.chapters.length)
    expect(await inPlayer()).toBe(2)

    // Esc takes a name back, Enter keeps it.
    const name = page.getByLabel('Name')
    await name.fill('no')
    await name.press('Escape')
    expect(await name.inputValue()).toBe('harbour.mp4')
    await name.fill('Harbour at noon')
    await name.press('Enter')
    await expect.poll(async () => (await read()).file.name, SOON).toBe('Harbour at noon')

    // Subtitles are listed, in the player, and read; a line is a way to its time.
    await page.getByRole('button', { name: 'Add subtitles' }).click()
    await page.getByLabel('File').setInputFiles({
      name: 'lines.srt',
      mimeType: 'text/plain',
      buffer: Buffer.from(SUBTITLES),
    })
    await page.getByLabel('Language').selectOption('de')
    await shoot(page, 'video-add-subtitles')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'German', exact: true }).click()
    await page.getByRole('button', { name: 'The second one' }).click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime), SOON).toBe(6)
    await expect.poll(() => look(page, ({ player }) => player.state.subtitles.length), SOON).toBe(1)

    await page.reload()
    await page.getByRole('button', { name: 'The second one' }).waitFor()
    await page.getByRole('row', { name: /^0:06–0:07/ }).waitFor()
    await holdAgainstRules(page, 'video')

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Harbour at noon is deleted.').waitFor()
    expect((await api.get(`/videos/${video.id}`)).status).toBe(404)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('The second one').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Harbour at noon' }).waitFor()
    expect((await read()).chapters).toHaveLength(2)
  })

  test('the address that is built for an image answers what is shown of it', async () => {
    const visit = await visitConsole(browser, LOOK)
    const { page, go } = visit
    await prepareAxe(page)
    const api = await ownerOf(visit)
    const photo = await scene(1200, 800).jpeg().toBuffer()
    const { body: image } = await uploaderOf(api).upload(photo, 'pier.jpg')
    await go(`images/${image.id}`)
    await page.getByText('1200 × 800').first().waitFor()
    await page.getByLabel('Width').fill('300')
    await page.getByLabel('Height').fill('100')
    await page.getByLabel('Fit').selectOption('cover')
    await page.getByRole('button', { name: 'Show WebP' }).click()
    const shown = page.getByRole('figure')
    await shown.getByText('300 × 100').waitFor()
    await shown.getByText('image/webp').waitFor()

    const address = `${image.file.url}?w=300&h=100&fit=cover&format=webp`
    await page.getByText(address, { exact: true }).waitFor()
    const answer = await fetch(local(address))
    expect(answer.headers.get('content-type')).toBe('image/webp')
    const { byteLength } = await answer.arrayBuffer()
    const said = `${new Intl.NumberFormat('en').format(byteLength)} bytes`
    const weight = byteLength < 1000 ? said : `${(byteLength / 1000).toFixed(1)} kB`
    await shown.getByText(weight).waitFor()
    await page.getByRole('row', { name: `Show WebP ${weight}` }).waitFor()
    for (const format of ['AVIF', 'JPEG', 'PNG'])
      await page.getByRole('row', { name: new RegExp(`Show ${format} .*(bytes|kB)`) }).waitFor()

    // It is in the address of the page as well.
    await page.reload()
    await shown.getByText('300 × 100').waitFor()
    await page.getByLabel('Description').fill('A pier')
    await page.getByLabel('Description').press('Enter')
    const read = async () => (await api.get(`/images/${image.id}`)).body.description
    await expect.poll(read, SOON).toBe('A pier')
    await holdAgainstRules(page, 'image')
  })
})

interface InPlayer {
  source: { chapters: unknown[] }
}

async function boxOf(page: Page, selector: string) {
  return (await page.locator(selector).boundingBox())!
}

/** Both have seen the first half, one of them the rest, and seconds 6 and 7 four times. */
function watchedParts(content_id: string) {
  const timestamp = new Date(Date.now() - 60_000).toISOString()
  const view = (device_id: string, ...parts: [number, number][]) => ({
    timestamp,
    content_view: {
      content_id,
      content_type: 'MEDIA_TYPE_VIDEO',
      view_type: 'watch',
      device_id,
      video_total_duration_ms: `${SECONDS}s`,
      segments: parts.map(([start, end]) => ({ start_ms: `${start}s`, end_ms: `${end}s` })),
    },
  })
  return [view('ann', [0, 12], [6, 8], [6, 8], [6, 8]), view('bob', [0, 6])]
}

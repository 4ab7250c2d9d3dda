import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { scene } from '../fixtures/images.ts'
import { bearer } from '../support/api.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { noDialog, OWNER, ownerOf, shoot, signIn, visitConsole } from '../support/console/console.ts'
import { local, uploaderOf } from '../support/media.ts'
import { look } from '../support/player/element.ts'
import { clip, formsOf, made, videoUploaderOf } from '../support/video.ts'
import { addMember } from '../support/world.ts'

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

const someReady = (videos: unknown[]) =>
  videos.some((video) => (video as { readyState: number }).readyState >= 2)

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
    // What is drawn to its width is drawn anew a moment later.
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), { ...SOON, message: name })
      .toBeLessThanOrEqual(width)
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
    await api.post('/analytics/v1/events', { project_id: projectId, events: watchedLongAgo(video.id) })
    await go(`videos/${video.id}`)

    // What was watched is drawn below the player's timeline, as wide as it, and a click there goes there.
    await page.locator('marquee-player [part=play]').click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime), SOON).toBeGreaterThan(0.3)
    const chart = page.getByRole('slider', { name: 'Timeline' })
    const [own, below] = [await boxOf(page, 'marquee-player [part=timeline]'), await chart.boundingBox()]
    expect(Math.abs(own.x - below!.x) + Math.abs(own.width - below!.width)).toBeLessThan(1)
    // The line on it moves with what plays.
    const shownTime = async () => Number(await chart.getAttribute('aria-valuenow'))
    await expect.poll(shownTime, SOON).toBeGreaterThan(0)
    const seen = await shownTime()
    await expect.poll(shownTime, SOON).toBeGreaterThan(seen)
    await page.keyboard.press('k')
    await chart.hover({ position: { x: below!.width / 4, y: 20 } })
    await page.getByText('0:03 · 100%').waitFor()
    await chart.click({ position: { x: (below!.width * 7) / 12, y: 20 } })
    await expect.poll(() => look(page, ({ media }) => Math.round(media.currentTime * 10)), SOON).toBe(70)
    await page.getByRole('button', { name: 'As a table' }).click()
    await page.getByRole('row', { name: '0:06–0:07 200% 2 × the average' }).waitFor()

    // Of another time there is something else to see: what was watched a year ago, too, is in all of it.
    await page.getByRole('radio', { name: 'All time' }).check({ force: true })
    await page.waitForURL(/range=all/)
    await page.getByRole('row', { name: '0:00–0:01 133.3%' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Retention as CSV' }).click()
    const file = await readFile(await (await downloading).path(), 'utf8')
    expect(file.trim().split('\r\n')).toHaveLength(1 + SECONDS)
    await page.getByRole('radio', { name: 'Custom' }).check({ force: true })
    await page.getByLabel('From').fill('2020-01-01')
    await page.getByLabel('To', { exact: true }).fill('2020-01-31')
    await page.getByText('Nobody has watched this in that time.').waitFor()
    await page.goBack()
    await page.goBack()
    await page.goBack()
    await page.getByRole('radio', { name: 'All time', checked: true }).waitFor()

    // The frame that is seen becomes the poster.
    const before = (await read()).poster.id
    await page.getByRole('button', { name: 'Use this frame' }).click()
    await page.getByText('The poster is set.').waitFor()
    expect((await read()).poster.id).not.toBe(before)

    await look(page, ({ media }) => {
      media.currentTime = 7
    })

    // A chapter where it stands, with the title that is typed; another by its time.
    const addChapter = async (title: string) => {
      await page.getByRole('button', { name: 'Add at this time' }).click()
      await page.getByRole('textbox', { name: 'Title of chapter' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type(title)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Play from ${title}` }).waitFor()
    }
    await addChapter('The pier')
    await expect
      .poll(async () => (await read()).chapters, SOON)
      .toMatchObject([{ title: 'The pier', start_time_sec: 7 }])
    await look(page, ({ media }) => {
      media.currentTime = 0
    })
    await addChapter('Arriving')
    await page.getByRole('textbox', { name: 'Start of chapter 2' }).fill('0:08.5')
    await page.keyboard.press('Enter')
    await page.getByRole('slider', { name: 'Move the start of The pier' }).press('ArrowRight')
    const chapters = [
      { title: 'Arriving', start_time_sec: 0, end_time_sec: 9.5 },
      { title: 'The pier', start_time_sec: 9.5 },
    ]
    await expect.poll(async () => (await read()).chapters, SOON).toMatchObject(chapters)
    // What is no time that it can begin at is said where it is typed, and taken back by Esc.
    const start = page.getByRole('textbox', { name: 'Start of chapter 2' })
    for (const [typed, said] of [
      ['abc', 'Write a time as 1:30'],
      ['99:00', 'The video ends at 0:12.'],
      ['0:00', 'A chapter begins at this time already.'],
    ] as const) {
      await start.fill(typed)
      await page.keyboard.press('Enter')
      await page.getByRole('alert').filter({ hasText: said }).waitFor()
    }
    await shoot(page, 'video-chapter-wrong')
    await page.keyboard.press('Escape')
    expect(await start.inputValue()).toBe('0:09.5')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect((await read()).chapters).toMatchObject(chapters)
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

    const description = page.getByLabel('Description')
    await description.fill('Boats before anybody is awake')
    await description.press('Enter')
    await expect.poll(async () => (await read()).description, SOON).toBe('Boats before anybody is awake')

    // All of it is still there when the page is loaded again: name, description, poster and chapters.
    await page.reload()
    await page.getByRole('button', { name: 'The second one' }).waitFor()
    await expect.poll(() => name.inputValue()).toBe('Harbour at noon')
    expect(await description.inputValue()).toBe('Boats before anybody is awake')
    await page.locator(`img[alt=Poster][src^="${(await read()).poster.file.url}"]`).waitFor()
    expect(await start.inputValue()).toBe('0:09.5')
    for (const title of ['Arriving', 'The pier'])
      await page.getByRole('button', { name: `Play from ${title}` }).waitFor()
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

  test('a poster and sound come from files, tracks are deleted and back, and chapters are pulled', {
    timeout: 120_000,
  }, async () => {
    const visit = await visitConsole(browser, LOOK)
    const { page, go } = visit
    const api = await ownerOf(visit)
    const video = await videoUploaderOf(api).upload(await clip(SECONDS), { file_name: 'harbour.mp4' })
    const read = async () => (await api.get(`/videos/${video.id}`)).body
    await go(`videos/${video.id}`)

    // From a file: the service takes it, the page shows it, and one that is no picture is refused in words.
    const picture = await scene(640, 360).jpeg().toBuffer()
    const posterFile = page.locator('input[type=file][aria-label=Upload]')
    await posterFile.setInputFiles({ name: 'cover.jpg', mimeType: 'image/jpeg', buffer: picture })
    await page.getByText('The poster is set.').waitFor()
    const { poster } = await read()
    expect(poster).toMatchObject({ width: 640, height: 360 })
    await page.locator(`img[alt=Poster][src^="${poster.file.url}"]`).waitFor()
    await posterFile.setInputFiles({
      name: 'cover.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('no picture'),
    })
    await page.getByText('The poster could not be set.').waitFor()
    expect((await read()).poster.id).toBe(poster.id)

    // Sound in another language, by the dialog; a file that is none is refused there.
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add an audio track' }).click()
    const wrong = { name: 'voice.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('no sound at all') }
    await dialog.getByLabel('File').setInputFiles(wrong)
    await dialog.getByLabel('Language').selectOption('fr')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await dialog.getByLabel('File').and(page.locator('[aria-invalid=true]')).waitFor()
    await dialog.getByText(/^req_/).waitFor()
    await shoot(page, 'video-add-audio-refused')
    await dialog.getByLabel('File').setInputFiles({ ...wrong, buffer: await voice() })
    await dialog.getByLabel('Label').fill('Narration')
    await dialog.getByRole('button', { name: 'Add' }).click()
    await noDialog(page)
    const tracks = async (kind: string) => (await api.get(`/videos/${video.id}/${kind}`)).body.data
    expect(await tracks('audio-tracks')).toMatchObject([{ language_code: 'fr', label: 'Narration' }])
    const sounds = () => look(page, ({ player }) => player.state.audios.length)
    await expect.poll(sounds, SOON).toBe(2)

    await page.getByRole('button', { name: 'Add subtitles' }).click()
    const lines = { name: 'lines.srt', mimeType: 'text/plain', buffer: Buffer.from(SUBTITLES) }
    await dialog.getByLabel('File').setInputFiles(lines)
    await dialog.getByRole('button', { name: 'Add' }).click()
    await noDialog(page)

    // Deleted and taken back: they are what they were, and in the player.
    for (const [label, kind] of [
      ['Narration', 'audio-tracks'],
      ['English', 'subtitles'],
    ] as const) {
      const [before] = await tracks(kind)
      const bytes = await textOf(before.url)
      await page.getByRole('button', { name: `Delete ${label}` }).click()
      await page.getByText(`${label} is deleted.`).waitFor()
      await expect.poll(() => tracks(kind), SOON).toEqual([])
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(async () => (await tracks(kind)).length, SOON).toBe(1)
      const [back] = await tracks(kind)
      expect(back).toMatchObject({ language_code: before.language_code, label })
      expect(back.name).toBe(before.name.replace('.srt', '.vtt'))
      expect(await textOf(back.url)).toBe(bytes)
      await page.getByRole('button', { name: `Delete ${label}` }).waitFor()
    }
    await expect.poll(sounds, SOON).toBe(2)

    // Subtitles that somebody else has deleted meanwhile are not there in the service's own words.
    expect((await api.delete(`/videos/${video.id}/subtitles/en`)).status).toBeLessThan(300)
    await page.getByRole('button', { name: 'English', exact: true }).click()
    const gone = page.locator('li').getByRole('alert').filter({ hasText: /req_/ })
    await gone.waitFor()
    expect(await gone.innerText()).not.toContain('{')

    // Chapters are pulled along the timeline by the pointer, as far as the next one and no further.
    await api.put(`/videos/${video.id}/chapters`, {
      chapters: [
        { title: 'Arriving', start_time_sec: 0 },
        { title: 'The pier', start_time_sec: 4 },
        { title: 'Leaving', start_time_sec: 9 },
      ],
    })
    await page.reload()
    const handle = page.getByRole('slider', { name: 'Move the start of The pier' })
    await handle.scrollIntoViewIfNeeded()
    const chart = (await page.getByRole('slider', { name: 'Timeline' }).boundingBox())!
    const at = (await handle.boundingBox())!
    const pullTo = async (second: number) => {
      await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2)
      await page.mouse.down()
      await page.mouse.move(chart.x + (chart.width * second) / SECONDS, at.y + 4, { steps: 4 })
    }
    await pullTo(6)
    await page.getByText('0:06', { exact: true }).first().waitFor()
    await shoot(page, 'video-pulled')
    await page.mouse.up()
    const startOf = async () => (await read()).chapters[1].start_time_sec
    await expect.poll(startOf, SOON).toBeCloseTo(6, 0)
    Object.assign(at, await handle.boundingBox())
    await pullTo(11.5)
    await page.mouse.up()
    await expect.poll(startOf, SOON).toBe(8.9)

    await page.reload()
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Start of chapter 2' }).inputValue())
      .toBe('0:08.9')
    await page.locator(`img[alt=Poster][src^="${poster.file.url}"]`).waitFor()
  })

  test('how far each video is made moves by itself: ten in the library, and rung by rung', {
    timeout: 240_000,
  }, async () => {
    // Nobody makes anything but what is watched: the test decides what is made when.
    const visit = await visitConsole(browser, { ...LOOK, env: { MARQUEE_ROLES: 'api' } })
    const { page, go } = visit
    const api = await ownerOf(visit)
    const film = await clip(90)
    const files = Array.from({ length: 10 }, (_, i) => ({
      name: `film-${i}.mp4`,
      mimeType: 'video/mp4',
      buffer: film,
    }))
    await go('library')
    await page.locator('input[type=file]').first().setInputFiles(files)
    const cards = page.getByRole('gridcell')
    await expect.poll(() => cards.count(), { timeout: 40_000 }).toBe(10)
    const shown = async () => {
      const texts = await cards.allInnerTexts()
      return new Map(texts.map((text) => [/film-\d/.exec(text)?.[0], /(\d+)\s*%/.exec(text)?.[1]]))
    }
    await expect.poll(async () => [...(await shown()).values()].filter(Boolean).length, SOON).toBe(10)
    await shoot(page, 'library-ten')
    const before = await shown()
    const { body } = await api.get('/media?limit=100')
    await Promise.all(body.data.map(({ url }: { url: string }) => watchTheEnd(url)))
    const moved = async () =>
      [...(await shown())].filter(([name, percent]) => Number(percent) > Number(before.get(name))).length
    await expect.poll(moved, SOON).toBe(10)

    await page.getByRole('gridcell').filter({ hasText: 'film-0' }).click()
    const making = page.getByRole('region', { name: 'Being made' })
    await making.waitFor()
    await shoot(page, 'video-making')
    const rung = making.getByRole('listitem').filter({ hasText: 'p' }).first()
    const count = async () => Number(/(\d+) of/.exec(await rung.innerText())![1])
    const made = await count()
    await watchTheEnd(body.data.find(({ name }: { name: string }) => name === 'film-0.mp4')!.url, 0.5)
    await expect.poll(count, SOON).toBeGreaterThan(made)
  })

  test('media is made private where it is shown, and is seen here all the same, also under a domain of its own', {
    timeout: 60_000,
  }, async () => {
    const visit = await visitConsole(browser, LOOK)
    const { page, go, service, projectId } = visit
    const api = await ownerOf(visit)
    const video = await videoUploaderOf(api).upload(await clip(3), { file_name: 'harbour.mp4' })
    const { put } = formsOf(service, bearer(await service.tokenFor(OWNER.email)))
    const subtitles = { name: 'lines.srt', content: SUBTITLES }
    expect((await put(`/videos/${video.id}/subtitles/en`, ['file', subtitles])).status).toBe(200)
    // Nobody answers there: the page may load media only from where that of all projects is.
    await service.sql`
      update projects set custom_domain = 'media.acme.example', custom_domain_verified_at = now()
      where id = ${projectId}`
    const address = async (): Promise<string> =>
      (await api.get(`/videos/${video.id as string}`)).body.file.url
    await expect.poll(address, SOON).toMatch(/^http:\/\/media\.acme\.example:/)
    const { body: image } = await uploaderOf(api).upload(await scene(300, 200).jpeg().toBuffer(), 'pier.jpg')
    const visibility = async (path: string) => (await api.get(path)).body.visibility
    for (const path of [`videos/${video.id}`, `images/${image.id}`]) {
      await go(path)
      await page.getByLabel('Visibility').selectOption('private')
      await expect.poll(() => visibility(`/${path}`), SOON).toBe('private')
    }
    expect((await fetch(service.url + new URL(image.file.url).pathname)).status).toBe(403)

    await page.reload()
    await page.getByRole('figure').getByRole('img').waitFor()
    await page.getByRole('row', { name: /Show PNG .*(bytes|kB)/ }).waitFor()
    await go(`videos/${video.id}`)
    await page.locator('marquee-player [part=play]').click()
    await expect.poll(() => look(page, ({ media }) => media.currentTime), SOON).toBeGreaterThan(0.2)
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await page.getByRole('button', { name: 'The second one' }).waitFor()
    await page.getByRole('button', { name: 'Delete English' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Delete English' }).waitFor()
    await go('library')
    await expect.poll(() => page.locator('[role=gridcell] img[data-state=loaded]').count(), SOON).toBe(2)

    const { id: feed } = (await api.post('/feeds', { name: 'News' })).body
    await api.post(`/feeds/${feed}/content`, { content_ids: [video.id], content_type: 'video' })
    await go(`feeds/${feed}`)
    const hasPlayed = () => page.locator('marquee-feed video').evaluateAll(someReady)
    await expect.poll(hasPlayed, SOON).toBe(true)
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
    await page.getByLabel('Keeps in view').selectOption('smart')
    await page.getByRole('button', { name: 'Show WebP' }).click()
    const shown = page.getByRole('figure')
    await shown.getByText('300 × 100').waitFor()
    await shown.getByText('image/webp').waitFor()

    const address = `${image.file.url}?w=300&h=100&fit=cover&gravity=smart&format=webp`
    await page.getByText(address, { exact: true }).waitFor()
    const answer = await fetch(local(address))
    expect(answer.headers.get('content-type')).toBe('image/webp')
    const { byteLength } = await answer.arrayBuffer()
    const weight = weightOf(byteLength)
    await shown.getByText(weight).waitFor()
    await page.getByRole('row', { name: `Show WebP ${weight}` }).waitFor()
    for (const format of ['AVIF', 'JPEG', 'PNG'])
      await page.getByRole('row', { name: new RegExp(`Show ${format} .*(bytes|kB)`) }).waitFor()

    // Quality is part of it; what each format weighs, and how much of the original that is, is what its address answers.
    await page.getByLabel('Width').fill('1200')
    await page.getByLabel('Height').fill('')
    await page.reload()
    await page.getByText('1200 × 800').first().waitFor()
    const whole = (await api.get(`/images/${image.id}`)).body.file.size
    const weights: Record<number, number> = {}
    for (const q of [90, 20]) {
      await page.getByLabel('Quality').fill(String(q))
      const wanted = `${image.file.url}?w=1200&format=webp&q=${q}`
      await page.getByText(wanted, { exact: true }).waitFor()
      for (const [name, format] of [
        ['AVIF', 'avif'],
        ['WebP', 'webp'],
        ['JPEG', 'jpg'],
        ['PNG', 'png'],
      ]) {
        const of = await fetch(local(wanted.replace('webp', format!)))
        const bytes = (await of.arrayBuffer()).byteLength
        if (format === 'webp') weights[q] = bytes
        const row = page.getByRole('row', { name: `Show ${name}` })
        await expect
          .poll(() => row.locator('td').allInnerTexts(), { ...SOON, message: `${name} ${q}` })
          .toEqual([weightOf(bytes), shareOf(bytes / whole)])
      }
    }
    expect(weights[20]!).toBeLessThan(weights[90]!)
    await page.getByLabel('Quality').fill('')
    await page.getByLabel('Width').fill('300')
    await page.getByLabel('Height').fill('100')

    // It is in the address of the page as well.
    await shown.getByText('300 × 100').waitFor()
    await page.reload()
    await shown.getByText('300 × 100').waitFor()
    await page.getByLabel('Description').fill('A pier')
    await page.getByLabel('Description').press('Enter')
    const read = async () => (await api.get(`/images/${image.id}`)).body.description
    await expect.poll(read, SOON).toBe('A pier')
    await holdAgainstRules(page, 'image')
  })

  test('where sizes have to be signed, who may signs them by building them, and others choose among widths', async () => {
    const { page, go, service, tenant, api, projectId } = await visitConsole(browser, {
      env: { MARQUEE_SIZES: 'signed' },
    })
    const photo = await scene(1200, 800).jpeg().toBuffer()
    const { body: image } = await uploaderOf(api).upload(photo, 'pier.jpg')
    const wish = 'w=300&h=100&fit=cover'
    expect((await fetch(local(`${image.file.url}?${wish}`))).status).toBe(403)
    await go(`images/${image.id}?${wish}`)
    const shown = page.getByRole('figure')
    await shown.getByText('300 × 100').waitFor()
    for (const format of ['AVIF', 'WebP', 'JPEG', 'PNG'])
      await page.getByRole('row', { name: new RegExp(`Show ${format} .*(bytes|kB)`) }).waitFor()
    const address = await page.locator('code', { hasText: 'signature=' }).first().innerText()
    expect((await fetch(local(address))).status).toBe(200)

    await addMember(service, tenant, 'reader@acme.example', ['images:read'])
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    const reader = await context.newPage()
    await signIn(reader, service, 'reader@acme.example')
    await reader.goto(`${service.url}/console/${projectId}/images/${image.id}?${wish}`)
    await reader.getByText('Other sizes have to be signed here.').waitFor()
    await reader.getByLabel('Width').selectOption('320')
    await reader.getByRole('figure').getByText('320 × 213').waitFor()
    await reader.getByText(`${image.file.url}?w=320`, { exact: true }).waitFor()
  })
})

function weightOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const [unit, count] = bytes < 1_000_000 ? ['kB', bytes / 1000] : ['MB', bytes / 1_000_000]
  return `${(count as number).toLocaleString('en', { maximumFractionDigits: (count as number) < 10 ? 1 : 0 })} ${unit}`
}

const shareOf = (part: number): string =>
  part.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })

interface InPlayer {
  source: { chapters: unknown[] }
}

async function boxOf(page: Page, selector: string) {
  return (await page.locator(selector).boundingBox())!
}

const voice = () => made(['-f', 'lavfi', '-i', `sine=frequency=220:duration=${SECONDS}`], 'mp3')

const textOf = async (url: string) => (await fetch(local(url))).text()

/** Has a part of a video made as a player does, by asking for it; how far in it is, from 0 to 1. */
async function watchTheEnd(url: string, place = 1): Promise<void> {
  const linesOf = async (address: string) => {
    const text = await textOf(address)
    return text.split('\n').filter((line) => line && !line.startsWith('#'))
  }
  const [variant] = await linesOf(`${url}/master.m3u8`)
  const playlist = new URL(variant!, `${url}/`).href
  const segments = await linesOf(playlist)
  const segment = segments[Math.min(Math.floor(segments.length * place), segments.length - 1)]!
  expect((await fetch(local(new URL(segment, playlist).href))).status).toBe(200)
}

/** Both have seen the first half, one of them the rest, and seconds 6 and 7 four times. */
function watchedParts(content_id: string) {
  const view = viewsOf(content_id, 60_000)
  return [view('ann', [0, 12], [6, 8], [6, 8], [6, 8]), view('bob', [0, 6])]
}

/** A third one, a year ago, twice as much of its first second. */
const watchedLongAgo = (content_id: string) => [viewsOf(content_id, 365 * 86_400_000)('eve', [0, 1], [0, 1])]

function viewsOf(content_id: string, ago: number) {
  const timestamp = new Date(Date.now() - ago).toISOString()
  return (device_id: string, ...parts: [number, number][]) => ({
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
}

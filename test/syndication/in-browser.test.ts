import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { local } from '../support/media.ts'
import { look } from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { publishFeed } from '../support/syndication.ts'
import { formsOf } from '../support/video.ts'

/** All that could end a tag, a script, an attribute or a document, and what XML cannot write. */
const HOSTILE = `</title></script><script>parent.hacked=1</script>"'><img src=x onerror="parent.hacked=1">]]>&amp; \u0001\u000b\ufffe 🎬`

describe.skipIf(!hasBrowser)('what other sites show', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  /** The site with this on its page, and what the browser complains of. */
  async function visit(content: string, prepare = async (_page: Page) => {}) {
    const complaints: string[] = []
    const page = await stage.show(content, {
      prepare: async (page) => {
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
        })
        await prepare(page)
      },
    })
    return { page, complaints }
  }

  const frameOf = async (page: Page) => {
    await page.waitForSelector('iframe')
    return (await (await page.$('iframe'))!.contentFrame())!
  }

  test('a post plays in an iframe on another origin, as its code from oEmbed has it', async () => {
    const service = await composeForTest()
    const { feed, film, video } = await publishFeed(service)
    await formsOf(service).put(
      `/videos/${video.id}/subtitles/en`,
      ['file', { content: 'WEBVTT\n\n00:00.000 --> 00:03.000\nA ship\n' }],
      ['label', 'English'],
    )
    const embedded = encodeURIComponent(
      `${service.url.replace('127.0.0.1', 'localhost')}/embed/${feed.id}/${film.id}?muted=1&loop=1&start=1&captions=en`,
    )
    const { html } = (await (await fetch(`${service.url}/oembed?url=${embedded}&maxwidth=600`)).json()) as {
      html: string
    }
    const { page, complaints } = await visit(html)
    const frame = await frameOf(page)
    const ready = () => look(frame, ({ media: { readyState, currentTime } }) => [readyState, currentTime])
    await expect.poll(ready).toEqual([expect.toSatisfy((state) => state >= 2), 1])
    // It is where it is to begin, and still waits for a click.
    await frame.locator('[part=play]').click()
    const media = () =>
      look(frame, ({ media: { currentTime, muted, loop, textTracks } }) => {
        const shown = [...textTracks].filter(({ mode }) => mode === 'showing')
        return { currentTime, muted, loop, cues: shown.flatMap(({ cues }) => [...(cues ?? [])]).length }
      })
    await expect.poll(async () => (await media()).currentTime).toBeGreaterThan(1)
    expect(await media()).toMatchObject({ muted: true, loop: true })
    await expect.poll(async () => (await media()).cues).toBe(1)
    // It begins anew by itself: what is watched after the end is before where it began.
    await expect.poll(async () => (await media()).currentTime).toBeLessThan(0.9)
    expect(await frame.locator('[part=heading]').textContent()).toBe('The harbour')
    expect(complaints).toEqual([])
  })

  test('begins by itself where it is asked to', async () => {
    const service = await composeForTest()
    const { feed, film } = await publishFeed(service)
    const src = `${service.url}/embed/${feed.id}/${film.id}?autoplay`
    const { page } = await visit(`<iframe title="film" allow="autoplay" src="${src}"></iframe>`)
    const frame = await frameOf(page)
    const time = () => look(frame, ({ media }) => media.currentTime)
    await expect.poll(time).toBeGreaterThan(0.3)
  })

  test('whatever a post says stays text, in pages and in feeds', async () => {
    const service = await composeForTest()
    const { feed, film, shown } = await publishFeed(service, {
      description: HOSTILE,
      name: HOSTILE.slice(0, 90).replaceAll(/\p{Cc}/gu, ''),
    })
    const pages = [`${feed.id}/${film.id}`, `${feed.id}/${shown.id}`, feed.id]
    const frames = pages.map((page) => `<iframe title="post" src="${service.url}/embed/${page}"></iframe>`)
    const { page } = await visit(frames.join(''))
    for (const frame of page.frames()) {
      expect(await frame.evaluate(`['hacked' in window, document.images.length < 2]`)).toEqual([false, true])
      const data = await frame.$$eval('script[type="application/ld+json"]', (all) =>
        all.map(({ textContent }) => JSON.parse(textContent!)),
      )
      for (const { description } of data) expect(description).toBe(HOSTILE)
    }
    const plain = HOSTILE.replaceAll(/[\u0001\u000b\ufffe]/g, '')
    for (const kind of ['rss', 'podcast']) {
      const text = await (await fetch(`${service.url}/feeds/${feed.id}/${kind}`)).text()
      const read = await page.evaluate(`(() => {
        const parsed = new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/xml')
        const wrong = parsed.querySelector('parsererror')
        return (wrong ?? parsed.querySelector('item > description')).textContent
      })()`)
      expect(read).toBe(plain)
    }
  })

  test('a public feed is swiped through in an iframe on another origin', async () => {
    const service = await composeForTest()
    const { feed, film } = await publishFeed(service)
    const src = `${service.url}/embed/${feed.id}`
    const { page, complaints } = await visit(
      `<iframe title="feed" allow="autoplay" width="360" height="640" src="${src}"></iframe>`,
    )
    const frame = await frameOf(page)
    const current = () => frame.evaluate(`document.querySelector('marquee-feed')?.post?.type`)
    await expect.poll(current).toBe('image')
    await frame.evaluate(`document.querySelector('marquee-feed').next()`)
    await expect.poll(current).toBe('video')
    expect(await frame.evaluate(`document.querySelector('marquee-feed').post.id`)).toBe(film.id)
    const playing = `[...document.querySelector('marquee-feed').shadowRoot.querySelectorAll('video')]
      .some(({ paused, currentTime }) => !paused && currentTime > 0.3)`
    await expect.poll(() => frame.evaluate(playing)).toBe(true)
    expect(complaints).toEqual([])
  })

  test('axe finds nothing in what is embedded, nor where there is nothing any more', async () => {
    const service = await composeForTest()
    const { feed, film, shown } = await publishFeed(service)
    const embed = (id: string) => `${service.url}/embed/${feed.id}${id}`
    const { page } = await visit(`<iframe title="post" src="${embed(`/${film.id}`)}"></iframe>`, prepareAxe)
    const frame = await frameOf(page)
    await frame.waitForSelector('marquee-player [part=controls]', { state: 'attached' })
    expect(await violationsIn(frame)).toEqual([])
    for (const id of ['', `/${shown.id}`, `/post_${'0'.repeat(26)}`]) {
      await page.goto(embed(id))
      expect(await violationsIn(page), id).toEqual([])
    }
    expect(await page.locator('main p').textContent()).toBe('This post is not available.')
  })
})

test('the page of a post says what it is to search engines and to those who share it', async () => {
  const service = await composeForTest()
  const { feed, film } = await publishFeed(service)
  await service.api.put(`/videos/${film.video_id}/chapters`, {
    chapters: [{ title: 'Boats', start_time_sec: 0 }],
  })
  const response = await fetch(`${service.url}/embed/${feed.id}/${film.id}`)
  const html = await response.text()
  expect(response.headers.get('x-frame-options')).toBeNull()
  expect(response.headers.get('content-security-policy')).toMatch(/script-src 'self';.*frame-ancestors \*/)
  const tags = Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="([^"]*)" content="([^"]*)"/g)].map(([, name, content]) => [
      name,
      content,
    ]),
  )
  const page = `${service.url.replace('127.0.0.1', 'localhost')}/embed/${feed.id}/${film.id}`
  expect(tags).toMatchObject({
    'og:type': 'video.other',
    'og:title': 'The harbour',
    'og:url': page,
    'og:video': page,
    'og:video:type': 'text/html',
    'twitter:card': 'player',
    'twitter:player': page,
  })
  // The picture is there, in the size that is told, for readers that know no AVIF.
  expect(tags['twitter:image']).toBe(tags['og:image'])
  const picture = await fetch(local(tags['og:image']!.replaceAll('&amp;', '&')))
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata()
  expect([tags['og:image:width'], tags['og:image:height']]).toEqual([`${width}`, `${height}`])
  const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)!
  expect(JSON.parse(data!)).toMatchObject({
    '@type': 'VideoObject',
    name: 'The harbour',
    uploadDate: film.created_at,
    duration: 'PT3S',
    embedUrl: page,
    hasPart: [{ '@type': 'Clip', name: 'Boats', startOffset: 0 }],
  })
  const gone = `${service.url}/embed/${feed.id}/post_${'0'.repeat(26)}`
  expect(await (await fetch(gone)).json()).toEqual({ code: 404, error: 'Not Found' })
  expect((await fetch(`${service.url}/embed/${feed.id}/${film.id}?start=-1`)).status).toBe(400)
})

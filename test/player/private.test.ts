import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { elementOf, look, ONLY_WATCHED, play } from '../support/player/element.ts'
import { openStage, type Stage } from '../support/player/stage.ts'
import { publishFeed } from '../support/syndication.ts'

describe.runIf(hasBrowser)('the player and private media', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test('a private video plays with a token, with its poster, and not without', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { feed, film, video } = await publishFeed(service)
    const path: string = `/videos/${video.id}`
    expect((await service.api.patch(path, { visibility: 'private' })).status).toBe(200)
    const { token } = (await service.api.post(`${path}/playback-token`)).body
    const post = `${feed.id}/${film.id}`
    for (const attributes of [
      `src="${video.file.url}" token="${token}"`,
      `post="${post}" token="${token}"`,
    ]) {
      const page = await stage.show(elementOf(service, `${attributes} muted`))
      await play(page)
      await expect.poll(() => look(page, ({ media }) => media.currentTime)).toBeGreaterThan(0.2)
      if (!attributes.startsWith('post')) continue
      const poster = () =>
        page.evaluate<number>(
          `document.querySelector('marquee-player').shadowRoot.querySelector('[part=poster] img').naturalWidth`,
        )
      await expect.poll(poster).toBeGreaterThan(0)
    }
    const page = await stage.show(elementOf(service, `post="${post}" muted`))
    await expect.poll(() => page.locator('[part=error]').isVisible()).toBe(true)

    // The embedded page of the post, with the token of its address.
    const embedded = `${service.url}/embed/${post}`
    const closed = await stage.show(`<iframe src="${embedded}"></iframe>`)
    const frame = (page: typeof closed) => page.frameLocator('iframe')
    await frame(closed).getByText('This post is private.').waitFor()
    const opened = await stage.show(
      `<iframe src="${embedded}?token=${token}" width="640" height="360"></iframe>`,
    )
    await frame(opened).locator('[part=play]').click()
    await frame(opened).locator('marquee-player[started]').waitFor()
  })

  test('a video plays by its id: with a key that may read it or a token, public or private, and not with another key', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { video } = await publishFeed(service)
    const token = await service.tokenFor(service.seed.owner_email)
    const show = (credential: string) =>
      stage.show(elementOf(service, `video="${video.id}" ${credential} muted`))
    for (const visibility of ['public', 'private']) {
      await service.api.patch(`/videos/${video.id}` as string, { visibility })
      for (const credential of [`key="${service.seed.api_key}"`, `token="${token}"`])
        await play(await show(credential))
    }
    const page = await show(`key="${service.seed.publishable_key}"`)
    await expect.poll(() => page.locator('[part=error] p').textContent()).toBe('This video is not available.')
  })

  test('private posts of a public feed are seen with one token for all, or with one for each, and not without', async () => {
    const service = await composeForTest(ONLY_WATCHED)
    const { api } = service
    const { feed, film, shown, video, image } = await publishFeed(service)
    const paths = [`/images/${image.id}`, `/videos/${video.id}`] as string[]
    for (const path of paths) await api.patch(path, { visibility: 'private' })
    const tokenAt = async (path: string): Promise<string> =>
      (await api.post(`${path}/playback-token`, {})).body.token
    const [ofImage, ofVideo] = await Promise.all(paths.map(tokenAt))
    const open = (attributes: string, tokens?: Record<string, string | undefined>) => {
      const given = tokens && `async (post, signal) => signal.aborted || (${JSON.stringify(tokens)})[post.id]`
      return stage.show(`<marquee-feed feed="${feed.id}" ${attributes}></marquee-feed>
        ${given ? `<script>document.querySelector('marquee-feed').readToken = ${given}</script>` : ''}
        <script type="module" src="${service.url}/sdk/player/feed.js"></script>`)
    }
    type Opened = Awaited<ReturnType<typeof open>>
    const inFeed = <T>(page: Opened, code: string) =>
      page.evaluate<T>(`(() => { const feed = document.querySelector('marquee-feed'); return ${code} })()`)
    const next = (page: Opened) => inFeed(page, 'feed.next()')
    const postOf = (page: Opened) => inFeed<string>(page, 'feed.post?.id')

    for (const page of [
      await open(`token="${await tokenAt('/media')}"`),
      await open('', { [shown.id]: ofImage, [film.id]: ofVideo }),
    ]) {
      await expect.poll(() => postOf(page)).toBe(shown.id)
      const picture = 'feed.shadowRoot.querySelector(".current [part=image]").naturalWidth'
      await expect.poll(() => inFeed(page, picture)).toBeGreaterThan(0)
      await next(page)
      const time = 'feed.shadowRoot.querySelector(".current video")?.currentTime ?? 0'
      await expect.poll(() => inFeed(page, time)).toBeGreaterThan(0.2)
    }
    // A token is for its own: the other post stays closed, and is not taken for deleted.
    for (const page of [await open(''), await open(`token="${ofImage}"`)]) {
      await expect.poll(() => postOf(page)).toBe(shown.id)
      await next(page)
      await expect.poll(() => postOf(page)).toBe(film.id)
      await expect.poll(() => page.locator('.current [part=error]').isVisible()).toBe(true)
      expect(await postOf(page)).toBe(film.id)
    }
  })
})

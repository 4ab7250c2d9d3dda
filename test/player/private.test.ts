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
})

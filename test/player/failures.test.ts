import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { composeForTest } from '../support/in-process.ts'
import { look, ONLY_WATCHED, play, publish } from '../support/player/element.ts'
import { snippetsOf } from '../support/player/snippets.ts'
import { openStage, type Stage } from '../support/player/stage.ts'

describe.skipIf(!hasBrowser)('a player with a tracker tells of failures', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  async function open(prepare: (page: Page) => Promise<unknown>) {
    const service = await composeForTest(ONLY_WATCHED)
    const { video, post } = await publish(service)
    const [example] = snippetsOf('docs/player.md', 'html', { service, post }).filter((one) =>
      one.includes('createTracker'),
    )
    const told: { error?: Record<string, string> }[] = []
    const page = await stage.show(example!, {
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.url().includes('idempotency_key')) told.push(...JSON.parse(request.postData()!).events)
        })
        await prepare(page)
      },
    })
    await look(page, ({ media }) => {
      media.muted = true
    })
    const status = () => look(page, ({ player }) => player.state.status)
    const flush = () =>
      look(page, (player) => (player as unknown as { tracker: { flush(): Promise<void> } }).tracker.flush())
    const quality = async () => (await service.api.get(`/analytics/v1/videos/${video.id}/quality`)).body
    return { page, video, told, status, flush, quality }
  }

  test('that are for good, once for a play, whatever is tried again', async () => {
    const { page, video, told, status, flush, quality } = await open((page) =>
      page.route(/\/\d+\.m4s/, (route) => route.fulfill({ status: 200, body: 'no picture' })),
    )
    await page.locator('[part=play]').click()
    await expect.poll(status).toBe('failed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(status).not.toBe('failed')
    await expect.poll(status).toBe('failed')
    await flush()
    expect(await quality()).toMatchObject({ plays: 1, failed_plays: 1, failure_rate: 1 })
    expect(told.flatMap(({ error }) => (error ? [error] : []))).toEqual([
      {
        error_type: 'playback',
        error_code: expect.stringMatching(/^(network|unplayable)$/),
        resource_type: 'video',
        resource_id: video.id,
        session_id: expect.any(String),
      },
    ])
  })

  test('also of a video that is not to be had', async () => {
    const { told, status, flush, quality } = await open((page) =>
      page.route(/\/file_\w+(\/master\.m3u8)?(\?|$)/, (route) => route.fulfill({ status: 404, body: '{}' })),
    )
    await expect.poll(status).toBe('failed')
    await flush()
    expect(await quality()).toMatchObject({ plays: 1, failed_plays: 1 })
    expect(told.find(({ error }) => error)?.error).toMatchObject({ error_code: 'unavailable' })
  })

  test('not an error of the element that it plays on after', async () => {
    const { page, status, flush, quality } = await open(async () => {})
    await play(page)
    await page.evaluate(`document.querySelector('marquee-player').media.dispatchEvent(new Event('error'))`)
    await flush()
    expect(await status()).toBe('ready')
    expect(await quality()).toMatchObject({ plays: 1, failed_plays: 0 })
  })
})

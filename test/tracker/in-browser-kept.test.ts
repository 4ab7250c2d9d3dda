import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { type Cinema, openCinema } from '../support/tracked-video.ts'

const VIDEO = 'vid_01k9qxyzabcdefghjkmnpqrstv'
const HOUR = 3_600_000

/** A request's body with one event that was just told. */
const told = (member: object) =>
  JSON.stringify({ user_id: 'ada', events: [{ timestamp: new Date().toISOString(), ...member }] })

describe.skipIf(!hasBrowser)('what a browser keeps', () => {
  let cinema: Cinema
  beforeAll(async () => {
    cinema = await openCinema(2)
  })
  afterAll(() => cinema.close())

  test('is forgotten, and not sent, by a page whose viewer does not agree', async () => {
    const visit = await cinema.visit()
    // It did not agree before, or says so a moment after it is opened.
    for (const words of ['', 'tracker.consent(true); tracker.consent(false)']) {
      await visit.kept({ id: 'a', body: told({ engagement: {} }) })
      await visit.newPage()
      await visit.open(VIDEO, '/film.mp4', { consent: false })
      await visit.run(words)
      await expect.poll(() => visit.kept()).toEqual([])
      await visit.flush()
    }
    expect(visit.sent()).toBe(0)
    expect(await visit.countOf('engagement')).toBe(0)
  })

  test('is sent by the service’s clock, where a page was left before it was told the time', async () => {
    const visit = await cinema.visit({ clockAhead: 48 * HOUR })
    await visit.open(VIDEO, '/film.mp4', { wait: 60_000 })
    await visit.run(`
      tracker.engagement({ engagement_type: 'like' })
      dispatchEvent(new Event('pagehide'))`)
    await expect.poll(() => visit.answered).toEqual([400])
    await visit.newPage()
    await visit.open(VIDEO)
    await visit.run(`tracker.engagement({ engagement_type: 'share' })`)
    await expect.poll(() => visit.countOf('engagement')).toBe(2)
    expect(await visit.kept()).toEqual([])
  })

  test('and is refused for what is in it goes, and what follows is sent', async () => {
    const visit = await cinema.visit()
    await visit.kept({ id: 'a', body: told({ nothing: {} }) })
    await visit.open(VIDEO)
    await expect.poll(() => visit.answered).toContain(400)
    await visit.run(`tracker.engagement({ engagement_type: 'like' })`)
    await expect.poll(() => visit.countOf('engagement')).toBe(1)
    await expect.poll(() => visit.kept()).toEqual([])
  })

  test('is sent as long as the service knows that it had it before, and then dropped', async () => {
    const visit = await cinema.visit()
    const body = told({ engagement: {} })
    await visit.kept(
      { id: 'a', body, tried: Date.now() - 23.1 * HOUR },
      { id: 'b', body, tried: Date.now() - 22.9 * HOUR },
    )
    await visit.open(VIDEO)
    await expect.poll(() => visit.kept()).toEqual([])
    expect(await visit.countOf('engagement')).toBe(1)
  })

  test('is a hundred requests at most, the latest', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO)
    await visit.flush()
    await visit.offline(true)
    await visit.run(
      `for (let i = 0; i < 130; i++) tracker.engagement({ comment_text: i + ' ' + 'a'.repeat(12000) })`,
    )
    const numbers = async () =>
      (await visit.kept()).map(({ body }) =>
        Number.parseInt(JSON.parse(body).events.at(-1).engagement.comment_text, 10),
      )
    // Those of one millisecond have no order.
    const inOrder = async () => (await numbers()).sort((one, other) => one - other)
    await expect.poll(inOrder).toEqual(Array.from({ length: 100 }, (_, i) => i + 30))
    await visit.offline(false)
    await visit.flush()
    await expect.poll(() => visit.countOf('engagement')).toBe(100)
    expect(await visit.kept()).toEqual([])
  })

  test('may be too large for a page that goes, and then holds up nothing', async () => {
    const visit = await cinema.visit()
    await visit.open(VIDEO, '/film.mp4', { wait: 60_000 })
    await visit.flush()
    await visit.run(`
      const text = 'ü'.repeat(70_000)
      tracker.error({ error_type: 'script', error_message: text, stack_trace: text, endpoint: text })
      tracker.engagement({ engagement_type: 'like' })
      dispatchEvent(new Event('pagehide'))`)
    await expect.poll(() => visit.countOf('engagement')).toBe(1)
    expect(await visit.countOf('error')).toBe(0)
    await visit.flush()
    expect(await visit.countOf('error')).toBe(1)
    expect(await visit.countOf('engagement')).toBe(1)
    expect(await visit.kept()).toEqual([])
  })
})

import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, bearer } from '../support/api.ts'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { addAudience } from '../support/console/audience.ts'
import { OWNER, shoot, type Visit, visitConsole } from '../support/console/console.ts'

describe.skipIf(!hasBrowser)('analytics in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('teaches without events, and shows the first one by itself', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await apiOfVisit(visit)
    await prepareAxe(page)
    await go('analytics')
    await page.getByRole('heading', { name: 'No events yet' }).waitFor()
    await page.getByText('createTracker({').waitFor()
    await shoot(page, 'analytics-empty')
    expect(await violationsIn(page)).toEqual([])
    await api.post('/analytics/v1/events', {
      user_id: 'ann',
      events: [
        { timestamp: new Date().toISOString(), content_view: { content_id: 'x', view_type: 'start' } },
      ],
    })
    await page.getByRole('region', { name: 'Watching now' }).getByText('View', { exact: true }).waitFor()
    await expect.poll(() => totalOf(page, 'Views')).toBe('1')
  })

  test('has the numbers of the API, in the chart, its table and its file, for the range in the address', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await apiOfVisit(visit)
    const { videos } = await addAudience(api)
    await prepareAxe(page)
    await go('analytics?range=7d')
    await page.getByRole('img', { name: /Views over time/ }).waitFor()

    // Who is watching moves by itself.
    const watching = page.getByLabel('Different viewers of the last five minutes')
    const count = async () => Number(await watching.innerText())
    await expect.poll(count).toBeGreaterThan(0)
    const before = await count()
    await api.post('/analytics/v1/events', {
      user_id: 'somebody-new',
      events: [{ timestamp: new Date().toISOString(), session_start: { platform: 'web' } }],
    })
    await expect.poll(count, { timeout: 15_000 }).toBe(before + 1)

    const start = new Date(Math.floor(Date.now() / DAY) * DAY - 6 * DAY).toISOString()
    const { body } = await api.get(
      `/analytics/v1/overview?project_id=${visit.projectId}&start=${encodeURIComponent(start)}`,
    )
    expect(await totalOf(page, 'Views')).toBe(english(body.totals.views))
    expect(await totalOf(page, 'Viewers')).toBe(english(body.totals.viewers))

    const views = page.getByRole('region', { name: 'Views over time' }).first()
    await views.getByRole('button', { name: 'as a table' }).click()
    const cells = await views.locator('tbody tr td:nth-child(2)').allTextContents()
    expect(cells).toEqual(body.points.map((point) => english(point.views)))
    const downloading = page.waitForEvent('download')
    await views.getByRole('button', { name: 'CSV' }).click()
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n').slice(1)
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual(
      body.points.map((point) => [point.timestamp, String(point.views)]),
    )

    await page.getByRole('radio', { name: '90 days' }).check({ force: true })
    await page.getByRole('button', { name: 'Harbour at dawn.mp4' }).click()
    await page.waitForURL(/range=90d.*video=vid_/)
    await page.reload()
    await page.getByRole('radio', { name: '90 days', checked: true }).waitFor()
    const early = new Date(Math.floor(Date.now() / DAY) * DAY - 89 * DAY).toISOString()
    const one = await api.get(
      `/analytics/v1/overview?project_id=${visit.projectId}&video_id=${videos[0]}&start=${encodeURIComponent(early)}`,
    )
    await expect.poll(() => totalOf(page, 'Views')).toBe(english(one.body.totals.views))

    // What is compared, filtered and grouped is in the address as well.
    await page.getByLabel('Compare with the period before').uncheck()
    await choose(page, page.getByRole('combobox', { name: 'Country' }), 'Germany')
    await choose(page, page.getByRole('combobox', { name: 'Feed' }), 'For you')
    await page.locator('label', { hasText: /^By/ }).getByRole('combobox').selectOption('Country')
    await page.getByRole('radio', { name: 'Custom' }).check({ force: true })
    await page.getByLabel('From').fill(early.slice(0, 10))
    await page.reload()
    await page.getByRole('radio', { name: 'Custom', checked: true }).waitFor()
    expect(await page.getByLabel('From').inputValue()).toBe(early.slice(0, 10))
    expect(await page.getByLabel('Compare with the period before').isChecked()).toBe(false)
    for (const [name, value] of [
      ['Video', 'Harbour at dawn.mp4'],
      ['Feed', 'For you'],
      ['Country', 'Germany'],
    ] as const)
      await expect.poll(() => page.getByRole('combobox', { name }).inputValue()).toBe(value)
    await page.getByRole('row', { name: 'Germany' }).waitFor()

    await go('analytics')
    await page.getByRole('img', { name: /How well it plays/ }).waitFor()
    // Everything is called by its name, wherever it stands.
    for (const [list, name] of [
      ['Top videos', 'Harbour at dawn.mp4'],
      ['Top posts', 'One long look at the boats'],
      ['Top feeds', 'For you'],
    ] as const)
      await page.getByRole('region', { name: list }).first().getByText(name).first().waitFor()
    await everyLook(page, 'analytics')
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const title of CHARTS) {
      const frame = page.getByRole('region', { name: title }).first()
      const saved = page.waitForEvent('download')
      await frame.getByRole('button', { name: `Download ${title} as CSV` }).click()
      const [head, ...rows] = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
      expect(head!.split(',').length, title).toBeGreaterThan(1)
      const asTable = frame.getByRole('button', { name: `${title} as a table` })
      if ((await asTable.count()) > 0) await asTable.click()
      await expect.poll(() => frame.locator('tbody tr').count(), { message: title }).toBe(rows.length)
    }
  })

  test('a funnel is built by the keyboard, and has the numbers of the API', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await apiOfVisit(visit)
    await addAudience(api, 60, [])
    await prepareAxe(page)
    await go('analytics/funnels')
    await page.getByRole('status').filter({ hasText: 'get through' }).waitFor()

    await page.getByRole('button', { name: 'Add a step' }).press('Enter')
    const fourth = page.getByRole('group', { name: 'Step 4' })
    await fourth.getByLabel('Name').fill('Stalled')
    await choose(page, fourth.getByRole('combobox', { name: 'Event' }), 'Interaction')
    await fourth.getByRole('button', { name: 'Add a filter' }).press('Enter')
    await choose(page, fourth.getByRole('combobox', { name: 'Field' }), 'interaction_type')
    await choose(page, fourth.getByRole('combobox', { name: 'Value' }), 'playback_stall')
    await fourth.getByRole('button', { name: 'Move up' }).press('Enter')
    const third = page.getByRole('group', { name: 'Step 3' })
    await expect.poll(() => third.getByLabel('Name').inputValue()).toBe('Stalled')
    await page.keyboard.press('Alt+ArrowUp')
    await expect
      .poll(() => page.getByRole('group', { name: 'Step 2' }).getByLabel('Name').inputValue())
      .toBe('Stalled')
    await page
      .getByRole('group', { name: 'Step 3' })
      .getByRole('button', { name: 'Remove this step' })
      .press('Enter')

    const steps = [
      { name: 'Came', event_type: 'session_start' },
      { name: 'Stalled', event_type: 'interaction', filters: { interaction_type: 'playback_stall' } },
      { name: 'To its end', event_type: 'content_view', filters: { view_type: 'end' } },
    ]
    const start = new Date(Math.floor(Date.now() / DAY) * DAY - 27 * DAY).toISOString()
    const { body } = await api.post(`/analytics/v1/funnels?project_id=${visit.projectId}`, {
      steps,
      range: { start },
    })
    expect(body.completed_users).toBeGreaterThan(0)
    const drawn = page.getByRole('list', { name: 'Funnel' })
    for (let look = 0; look < 2; look++) {
      const expected = body.steps.flatMap(({ step_name, user_count }, i) => [
        `${i + 1} ${step_name}`,
        `${english(user_count)} viewers`,
      ])
      await expect.poll(() => drawn.locator('h3, p > span').allTextContents()).toEqual(expected)
      await page.reload()
      await drawn.waitFor()
    }
    const frame = page.getByRole('region', { name: 'Funnel' }).first()
    await frame.getByRole('button', { name: 'as a table' }).click()
    expect(await frame.locator('tbody td:nth-child(2)').allTextContents()).toEqual(
      body.steps.map(({ user_count }) => english(user_count)),
    )
    await frame.getByRole('button', { name: 'as a table' }).click()
    await everyLook(page, 'funnels')
  })
})

/** Each is a table and a file as well. */
const CHARTS = [
  'Views over time',
  'Top videos',
  'Top posts',
  'Top feeds',
  'How well it plays',
  'Viewers who came back',
]
const DAY = 86_400_000
const english = (value: number): string => value.toLocaleString('en')

async function apiOfVisit({ service, projectId }: Pick<Visit, 'service' | 'projectId'>): Promise<Api> {
  return service.api.as({ ...bearer(await service.tokenFor(OWNER.email)), 'x-project-id': projectId })
}

/** The number below a name in the row of totals. */
const totalOf = (page: Page, name: string): Promise<string> =>
  page
    .locator('dl')
    .first()
    .locator('div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
    .innerText()

async function choose(page: Page, box: ReturnType<Page['getByRole']>, name: string): Promise<void> {
  await box.fill(name)
  await page.getByRole('option', { name }).first().waitFor()
  await box.press('Enter')
  await expect.poll(() => box.inputValue()).toBe(name)
}

/** Light and dark, wide and narrow: nothing that axe has to say, and nothing wider than the page. */
async function everyLook(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [768, 1024],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      // Colours take a moment to change.
      if ((width === 1440) === (colorScheme === 'light') && width !== 768)
        await expect.poll(() => violationsIn(page)).toEqual([])
      const full = await page.evaluate<number>('document.documentElement.scrollHeight')
      await page.setViewportSize({ width, height: process.env.MARQUEE_TEST_SHOTS ? full : height })
      await shoot(page, `${name}-${width}-${colorScheme}`)
      await page.setViewportSize({ width, height })
    }
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    // However long names are, no list reaches into the one beside it.
    const boxes = await page
      .locator('section[aria-label^=Top] ol')
      .evaluateAll((lists) =>
        lists.map((list) => [
          (list as unknown as { scrollWidth: number }).scrollWidth,
          (list as unknown as { clientWidth: number }).clientWidth,
        ]),
      )
    for (const [inside, own] of boxes) expect(inside, name).toBeLessThanOrEqual(own!)
  }
}

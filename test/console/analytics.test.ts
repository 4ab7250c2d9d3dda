import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareAxe, violationsIn } from '../support/axe.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { addAudience } from '../support/console/audience.ts'
import { ownerOf, shoot, visitConsole } from '../support/console/console.ts'

describe.skipIf(!hasBrowser)('analytics in the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('teaches without events, and shows the first one by itself', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await ownerOf(visit)
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
    const api = await ownerOf(visit)
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
    await page.waitForURL(/tables=views/)
    await page.reload()
    await views.getByRole('table').waitFor()
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

  test('every figure is that of the API: totals beside the period before, lists, quality and cohorts', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await ownerOf(visit)
    await addAudience(api)
    // Days that are over: nothing more is counted in them while one looks.
    const day = (ago: number) =>
      new Date(Math.floor(Date.now() / DAY) * DAY - ago * DAY).toISOString().slice(0, 10)
    const rangeOf = (first: number, last: number) => ({
      start: `${day(first)}T00:00:00.000Z`,
      end: `${day(last)}T23:59:59.999Z`,
    })
    const range = rangeOf(20, 1)
    const get = async (what: string, query: Record<string, string>) =>
      (
        await api.get(
          `/analytics/v1/${what}?${new URLSearchParams({ project_id: visit.projectId, ...query })}`,
        )
      ).body
    await go(`analytics?range=custom&from=${day(20)}&to=${day(1)}&by=country`)

    const { totals } = await get('overview', range)
    const { totals: before } = await get('overview', rangeOf(40, 21))
    expect(Math.min(totals.views, before.views)).toBeGreaterThan(10)
    for (const [name, field, show] of [
      ['Views', 'views', english],
      ['Viewers', 'viewers', english],
      ['Hours watched', 'watch_time_ms', hoursOf],
      ['Completion', 'completion_rate', percent],
    ] as const) {
      const figure = page
        .locator('dl')
        .first()
        .locator('div', { has: page.getByText(name, { exact: true }) })
      const texts = async () =>
        (await figure.locator('dd').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
      const change = changeOf(totals[field], before[field])
      await expect
        .poll(texts, { message: name })
        .toEqual([show(totals[field]), `${change} ${show(before[field])} before`])
    }

    for (const kind of ['videos', 'posts', 'feeds'] as const) {
      const { [kind]: items } = await get(`top/${kind}`, { ...range, limit: '8' })
      expect(items.length, kind).toBeGreaterThan(1)
      const list = page.getByRole('region', { name: `Top ${kind}` }).first()
      await expect
        .poll(() => list.locator('ol > li > span:last-child').allInnerTexts(), { message: kind })
        .toEqual(items.map(({ total_views }: { total_views: number }) => english(total_views)))
      // A name may have a comma in it.
      const rows = (await fileOf(page, `Top ${kind}`)).map((line) => line.split(',').slice(-5))
      expect(rows).toEqual(
        items.map((item: Record<string, number>) =>
          [
            item[`${kind.slice(0, -1)}_id`],
            item.total_views,
            item.unique_viewers,
            item.total_watch_time_ms! / HOUR,
            item.completion_rate,
          ].map(String),
        ),
      )
    }

    const quality = await get('quality', { ...range, by: 'country' })
    const well = page.getByRole('region', { name: 'How well it plays' }).first()
    const shown = (of: Record<string, number>) => [
      english(of.plays!),
      spanOf(of.start_median_ms! / HOUR),
      spanOf(of.start_p95_ms! / HOUR),
      percent(of.stalled_share!),
      percent(of.failure_rate!),
      `${english(Math.round(of.average_rung!))} p`,
    ]
    expect(quality.groups.length).toBeGreaterThan(2)
    await expect.poll(() => well.locator('dl dd').allInnerTexts()).toEqual(shown(quality))
    expect(await well.locator('tbody td').allInnerTexts()).toEqual(quality.groups.flatMap(shown))

    const retention = { period: 'week', range }
    const { body } = await api.post(`/analytics/v1/retention?project_id=${visit.projectId}`, retention)
    const triangle = page.getByRole('region', { name: 'Viewers who came back' }).first().locator('tbody tr')
    expect(body.cohorts.length).toBeGreaterThan(2)
    const cells = body.cohorts.map(({ cohort_size, retention_data }) => [
      english(cohort_size),
      ...retention_data.map((part: number) => (cohort_size === 0 ? '' : percent(part))),
    ])
    expect(await triangle.evaluateAll(cellsOf)).toEqual(cells)
  })

  test('a funnel is built by the keyboard, and has the numbers of the API', async () => {
    const { page, go, ...visit } = await visitConsole(browser, { reducedMotion: 'reduce' })
    const api = await ownerOf(visit)
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
      const expected = body.steps.flatMap(({ step_name, user_count, average_time_hours }, i) => [
        `${i + 1} ${step_name}`,
        `${english(user_count)} viewers`,
        ...(i > 0
          ? [spanOf(average_time_hours), `${spanOf(average_time_hours)} after the step before on average`]
          : []),
      ])
      await expect.poll(() => drawn.locator('h3, p > span').allTextContents()).toEqual(expected)
      await page.reload()
      await drawn.waitFor()
    }
    const frame = page.getByRole('region', { name: 'Funnel' }).first()
    const saving = page.waitForEvent('download')
    await frame.getByRole('button', { name: 'Download Funnel as CSV' }).click()
    const [head, ...rows] = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n')
    const cells = rows.map((row) => row.split(','))
    expect(cells.map(([name, viewers]) => [name, viewers])).toEqual(
      body.steps.map(({ step_name, user_count }) => [step_name, String(user_count)]),
    )
    expect(head!.split(',').at(-1)).toBe('Average hours from the step before')
    const times: number[] = body.steps.slice(1).map((step) => step.average_time_hours)
    expect(times.every((hours) => hours > 0)).toBe(true)
    expect(cells.map((row) => row.at(-1))).toEqual(['', ...times.map(String)])
    await frame.getByRole('button', { name: 'as a table' }).click()
    await frame.getByRole('table').waitFor()
    expect(await frame.locator('tbody td:nth-child(2)').allTextContents()).toEqual(
      body.steps.map(({ user_count }) => english(user_count)),
    )
    expect(await frame.locator('tbody td:last-child').allTextContents()).toEqual(['', ...times.map(spanOf)])
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
const HOUR = 3_600_000
const percent = (part: number): string =>
  part.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
const hoursOf = (milliseconds: number): string =>
  (milliseconds / HOUR).toLocaleString('en', { maximumFractionDigits: 1 })

function changeOf(now: number, before: number): string {
  if (now === before) return 'Unchanged'
  const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return `${now > before ? '▲' : '▼'} ${(now / before - 1).toLocaleString('en', options)}`
}

/** The lines below the head of a chart's file. */
async function fileOf(page: Page, title: string): Promise<string[]> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: `Download ${title} as CSV` }).click()
  const text = await readFile(await (await saving).path(), 'utf8')
  return text.trim().split('\r\n').slice(1)
}

/** Of each row, as it is seen; it runs in the page. */
function cellsOf(rows: unknown[]): string[][] {
  type Row = { querySelectorAll(selector: string): Iterable<{ innerText: string }> }
  return (rows as Row[]).map((row) => [...row.querySelectorAll('td')].map(({ innerText }) => innerText))
}

/** In the largest unit that there is one of. */
function spanOf(hours: number): string {
  const units = [
    ['day', 24],
    ['hr', 1],
    ['min', 1 / 60],
  ] as const
  const [unit, size] = units.find(([, size]) => hours >= size) ?? ['sec', 1 / 3600]
  const count = (hours / size).toLocaleString('en', { maximumFractionDigits: unit === 'sec' ? 2 : 1 })
  return `${count} ${unit}${unit === 'day' && count !== '1' ? 's' : ''}`
}
const english = (value: number): string => value.toLocaleString('en')

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

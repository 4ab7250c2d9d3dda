import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser.ts'
import { startEmptyPage } from './baselines/empty-react.ts'
import { startCdn } from './support/cdn.ts'
import { type Interactions, inpOf, webVitals } from './support/inp.ts'
import { addImages } from './support/many-media.ts'
import { databaseOf } from './support/many-posts.ts'
import { makePhoto } from './support/photo.ts'
import { line, median, print } from './support/report.ts'
import { scrollToEnd } from './support/scrolling.ts'
import { startService } from './support/service.ts'
import { type Service, uploaderTo } from './support/upload.ts'

const ROUNDS = 5
const ITEMS = 10_000
const MANY_ITEMS = 100_000
const PHOTOS = 8
/** With each frame: faster than anybody's hand. */
const SCREENS = 3
/** Above 200 ms people find a page slow; half of that leaves room for slower machines than this. */
const BAR_MS = 100
const LIMITS = {
  MARQUEE_LIMIT_KEY_PER_MINUTE: '0',
  // Every page that is opened asks for a token.
  MARQUEE_LIMIT_SIGN_IN_PER_MINUTE: '0',
  MARQUEE_LIMIT_DELIVERY_PER_MINUTE: '0',
}

const ARROWS = ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'ArrowDown', 'ArrowDown', 'ArrowUp']
const SCROLLING = ['PageDown', 'PageDown', 'PageDown', 'Control+End', 'PageUp', 'Control+Home']

const SEARCHED = 'number 12'
/** Between two of them: a fast hand. */
const PAUSE_MS = 250
/** How long a key or a button is held down. */
const HELD_MS = 60

/** Not of the grid, and the first of it runs what no page ran before: shown beside the rest, and held to no bar. */
const MENU = 'a menu that opens and closes'

/** What people do in a library. */
const IN_LIBRARY: Interactions['kinds'] = {
  'clicks that select': async (page) => {
    await each(8, (i) => click(page, '[role=gridcell] label', i))
    await press(page, ['Escape'])
  },
  'arrow keys': async (page) => {
    await page.evaluate(`document.querySelector('[role=gridcell][tabindex="0"]').focus()`)
    await press(page, ARROWS)
  },
  'keys that scroll': (page) => press(page, SCROLLING),
  [MENU]: (page) =>
    each(4, async () => {
      await click(page, 'button[aria-label^=Account]')
      await press(page, ['Escape'])
    }),
  'letters of a search': (page) => type(page, 'input[type=search]'),
}

/** The same, as far as there is something to do it with on an empty page. */
const ON_EMPTY_PAGE: Interactions['kinds'] = {
  'clicks that select': (page) => each(8, () => click(page, 'button')),
  'arrow keys': (page) => press(page, ARROWS),
  'keys that scroll': (page) => press(page, SCROLLING),
  [MENU]: (page) => each(8, () => click(page, 'button')),
  'letters of a search': (page) => type(page, 'input'),
}

async function each(times: number, act: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < times; i++) await act(i)
}

/**
 * By its place, as a hand does. Playwright's own clicks look for roles and names in the page before and after, on the
 * processor that is slowed down, and would be measured along.
 */
async function click(page: Page, selector: string, index = 0): Promise<void> {
  const [x, y] = (await page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelectorAll(${JSON.stringify(selector)})[${index}].getBoundingClientRect()
    return [x + width / 2, y + height / 2]
  })()`)) as [number, number]
  await page.mouse.move(x, y)
  await page.waitForTimeout(PAUSE_MS)
  await page.mouse.click(x, y, { delay: HELD_MS })
  await page.waitForTimeout(PAUSE_MS)
}

const press = (page: Page, keys: string[]) =>
  each(keys.length, async (i) => {
    await page.keyboard.press(keys[i]!, { delay: HELD_MS })
    await page.waitForTimeout(PAUSE_MS)
  })

/** As fast as people do, so that the search is asked for meanwhile. */
async function type(page: Page, selector: string): Promise<void> {
  await click(page, selector)
  await page.keyboard.type(SEARCHED, { delay: 120 })
}

/** How soon the next frame shows what was done in a large library, beside an empty page of React; and how a larger one scrolls. */
export async function run(): Promise<void> {
  const cdn = await startCdn()
  const service = await startService({ ...LIMITS, MARQUEE_CDN_URL: cdn.url })
  const browser = await startBrowser()
  try {
    const sql = databaseOf(service.dataDir)
    const uploader = uploaderTo(service)
    for (let i = 0; i < PHOTOS; i++) {
      const address = await uploader.complete(await uploader.send((await makePhoto(480 + 40 * i, 320)).jpeg))
      await cdn.take(`${address.replace(cdn.url, `${service.url}/cdn`)}?w=640`)
    }
    const { project_id: projectId, base_url: base } = service.quickstart
    await addImages(sql, projectId, ITEMS - PHOTOS)
    const library = `${base}/console/${projectId}/library`
    const context = await signedIn(browser, service)
    await compareInteractions(context, library)

    await sql`delete from files where project_id = ${projectId} and id ~ '^file_0000'`
    await addImages(sql, projectId, MANY_ITEMS - PHOTOS)
    await sql.end()
    await scrollMany(context, library)
  } finally {
    await browser.close()
    await service.stop()
    cdn.stop()
  }
}

async function signedIn(browser: Browser, { quickstart }: Service): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${quickstart.base_url}/console/sign-in`)
  await page.getByLabel('Email').fill(quickstart.owner_email)
  await page.getByLabel('Password').fill(quickstart.owner_password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.close()
  return context
}

async function compareInteractions(context: BrowserContext, library: string): Promise<void> {
  print(
    `console: Interaction to Next Paint in a library of ${ITEMS}, all loaded, beside an empty page of React,`,
  )
  print(
    `  in Chromium on a processor slowed down four times; the slowest of each kind, median of ${ROUNDS} rounds`,
  )
  const script = webVitals()
  const empty = await startEmptyPage()
  const ours: Interactions = { address: library, prepare: loadAll, kinds: IN_LIBRARY }
  const theirs: Interactions = {
    address: empty.url,
    prepare: (page) => page.getByRole('button').waitFor(),
    kinds: ON_EMPTY_PAGE,
  }
  const rounds: { ours: Record<string, number>; theirs: Record<string, number> }[] = []
  // In turn, so that both meet the same machine; the first round warms up and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    rounds.push({
      theirs: await inpOf(context, script, theirs),
      ours: await inpOf(context, script, ours),
    })
  await empty.stop()
  for (const kind of Object.keys(IN_LIBRARY)) {
    const counted = rounds.slice(1)
    const [mine, beside] = [
      counted.map(({ ours }) => ours[kind]!),
      counted.map(({ theirs }) => theirs[kind]!),
    ]
    const ratio = (median(mine) / median(beside)).toFixed(1)
    print(`  ${kind}: empty page ${spread(beside)}, ours ${spread(mine)}, ${ratio} times as long`)
    if (kind !== MENU) line(`${kind}: ms`, median(mine), { atMost: BAR_MS })
  }
}

const spread = (values: number[]) =>
  `${median(values).toFixed()} ms (${Math.min(...values).toFixed()} to ${Math.max(...values).toFixed()})`

/** Scrolls through all pages, and back: nothing of this is an interaction. */
async function loadAll(page: Page): Promise<void> {
  await page.getByRole('gridcell').first().waitFor()
  await scrollToEnd(page, 1000)
  await page.evaluate('scrollTo(0, 0)')
  await page.locator('[data-index="0"] img[data-state=loaded]').waitFor()
  await page.waitForLoadState('networkidle')
}

async function scrollMany(context: BrowserContext, library: string): Promise<void> {
  print(`console: ${MANY_ITEMS} items, scrolled from the first to the last`)
  const page = await context.newPage()
  await page.goto(library)
  await page.getByRole('gridcell').first().waitFor()
  const scrolled = await scrollToEnd(page, SCREENS)
  const tenths = scrolled.samples
  for (const { items, nodes, heapMb } of tenths)
    print(`  ${items.toLocaleString('en').padStart(9)} loaded: ${nodes} elements, ${heapMb.toFixed(1)} MB`)
  print(
    `  ${scrolled.frames} frames in ${(scrolled.ms / 1000).toFixed()} s, ${scrolled.longFrames} above 50 ms, longest ${scrolled.longestMs.toFixed()} ms`,
  )
  line('elements at the end beside the beginning', tenths.at(-1)!.nodes / tenths[0]!.nodes, { atMost: 1.5 })
  line('frames above 50 ms, of all', scrolled.longFrames / scrolled.frames, { atMost: 0.01 })
  await page.close()
}

import type { Page, Route } from 'playwright-core'

const REFUSED = { status: 503, headers: { 'access-control-allow-origin': '*' } }

/** The first segment of pictures is answered 503, and those that begin them all are held back until they may begin. */
export async function holdBeginnings(page: Page) {
  let asked = 0
  let held: Route[] | undefined = []
  const pass = (route: Route) => route.continue().catch(() => {})
  await page.route(/\/v\d+\/init\.mp4/, (route) => (held ? void held.push(route) : pass(route)))
  await page.route(/\/v\d+\/\d+\.m4s/, (route) => (asked++ === 0 ? route.fulfill(REFUSED) : pass(route)))
  return {
    /** How many segments were asked for. */
    asked: () => asked,
    async letBegin() {
      const routes = held ?? []
      held = undefined
      for (const route of routes) await pass(route)
    },
  }
}

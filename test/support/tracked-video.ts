import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { Api } from './api.ts'
import { startBrowser } from './browser.ts'
import { composeForTest } from './in-process.ts'
import { root } from './service.ts'
import { clip } from './video.ts'

/** A part of a video that a viewer has passed, as the video element itself says where it began and where it stopped. */
export interface Watched {
  start: number
  end: number
  speed: number
}

export const watchTimeOf = (passes: Watched[]): number =>
  passes.reduce((sum, { start, end, speed }) => sum + (end - start) / speed, 0)

/** How often each second was watched, by the one viewer there is; once where only the speed changed in it. */
export function heatOf(passes: Watched[], seconds: number): number[] {
  const ways: Watched[] = []
  for (const pass of passes) {
    const before = ways.at(-1)
    if (before?.end === pass.start) before.end = pass.end
    else ways.push({ ...pass })
  }
  return Array.from(
    { length: seconds },
    (_, second) => ways.filter(({ start, end }) => start < second + 1 && end > second).length,
  )
}

export interface VisitOptions {
  /** Storage that throws when it is touched, as in a browser that forbids it. */
  forbids?: string[]
  /** What the browser says of itself. */
  navigator?: Record<string, unknown>
  /** Milliseconds by which its clock is ahead. */
  clockAhead?: number
}

/** A site of somebody else with one film, and a browser. */
export async function openCinema(seconds: number) {
  // With its index first, it plays while it comes.
  const film = await clip(seconds, ['-movflags', '+faststart'])
  let goOn: (() => void) | undefined
  const browser: Browser = await startBrowser()
  const site = http.createServer((request, response) => {
    if (request.url === '/slow.mp4') {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': film.length })
      response.write(film.subarray(0, film.length / 2))
      goOn = () => response.end(film.subarray(film.length / 2))
    } else if (request.url === '/film.mp4') response.writeHead(200, { 'content-type': 'video/mp4' }).end(film)
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><video muted></video>')
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`

  return {
    visit: (options: VisitOptions = {}) => visit(browser, address, options),
    /** The second half of `/slow.mp4` comes, too. */
    goOn: () => goOn!(),
    async close() {
      await browser.close()
      site.closeAllConnections()
      await new Promise((resolve) => site.close(resolve))
    },
  }
}

export type Cinema = Awaited<ReturnType<typeof openCinema>>

/** A viewer's browser, with nothing kept in it yet, on a page of the site. */
async function visit(
  browser: Browser,
  address: string,
  { forbids = [], navigator = {}, clockAhead = 0 }: VisitOptions,
) {
  const { url, seed, api } = await composeForTest()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  for (const name of forbids)
    await context.addInitScript(
      `Object.defineProperty(globalThis, '${name}', { get() { throw new DOMException('forbidden', 'SecurityError') } })`,
    )
  for (const [name, value] of Object.entries(navigator))
    await context.addInitScript(
      `Object.defineProperty(navigator, '${name}', { value: ${JSON.stringify(value)}, configurable: true })`,
    )
  await context.addInitScript(`{ const { now } = Date; Date.now = () => now.call(Date) + ${clockAhead} }`)
  let sent = 0
  const answered: number[] = []
  let page: Page
  async function newPage(): Promise<void> {
    page = await context.newPage()
    page.on('request', (request) => {
      if (request.url().includes('/analytics/v1/events')) sent++
    })
    page.on('response', (response) => {
      if (response.url().includes('/analytics/v1/events')) answered.push(response.status())
    })
    await page.goto(address)
  }
  await newPage()
  const script = `${url}/sdk/tracker/index.js`
  const run = <T>(code: string): Promise<T> => page.evaluate(`(async () => {${code}})()`) as Promise<T>

  const to = `${url}/analytics/v1/events?key=${seed.publishable_key}`

  async function open(video: string, film = '/film.mp4', more: object = {}): Promise<void> {
    await run(`
      const { createTracker } = await import('${script}')
      globalThis.video = document.querySelector('video')
      video.src = ${film === '/film.mp4' ? "URL.createObjectURL(await (await fetch('/film.mp4')).blob())" : `'${film}'`}
      if (${film === '/film.mp4'})
        await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }))
      globalThis.tracker = createTracker({ url: '${url}', key: '${seed.publishable_key}', wait: 200, heartbeat: 1000, ...${JSON.stringify(more)} })
      globalThis.detach = tracker.attach(video, { contentId: '${video}', feedId: 'feed_a', page: 'feed', state: () => ({ quality: '1080p' }) })`)
  }

  /** Plays until the video is somewhere in that second's half, and stops there: where exactly, the element says. */
  const playUntil = (until: number, speed = 1): Promise<Watched> =>
    run(`
      const start = video.currentTime
      video.playbackRate = ${speed}
      await video.play()
      while (video.currentTime < ${until}) await new Promise((resolve) => setTimeout(resolve, 20))
      video.pause()
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { start, end: video.currentTime, speed: ${speed} }`)

  return {
    page: () => page,
    run,
    newPage,
    api: api as Api,
    sent: () => sent,
    /** The statuses of the service's answers to events. */
    answered,
    /** Batches that the browser keeps, the oldest first; these as well, if there are any. */
    kept: (
      ...more: { id: string; body: string; tried?: number }[]
    ): Promise<{ id: string; body: string }[]> =>
      run(`
        const answerOf = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
        const opening = indexedDB.open('marquee-tracker', 1)
        opening.onupgradeneeded = () => opening.result.createObjectStore('batches', { keyPath: 'id' })
        const database = await answerOf(opening)
        const batches = database.transaction('batches', 'readwrite').objectStore('batches')
        for (const one of ${JSON.stringify(more)}) batches.put({ to: '${to}', ...one })
        const all = await answerOf(batches.getAll())
        database.close()
        return all`),
    /** How many events of this kind the service has of the last minutes. */
    async countOf(kind: string): Promise<number> {
      const { body } = await (api as Api).get('/analytics/v1/realtime')
      const all: { event_type: string; count: number }[] = body.top_events
      return all.find(({ event_type }) => event_type === kind)?.count ?? 0
    },
    open,
    playUntil,
    seek: (to: number): Promise<void> =>
      run(`
        const arrived = new Promise((resolve) => video.addEventListener('seeked', resolve, { once: true }))
        video.currentTime = ${to}
        await arrived`),
    playToEnd: (): Promise<Watched> =>
      run(`
        const start = video.currentTime
        const ended = new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }))
        await video.play()
        await ended
        return { start, end: video.duration, speed: 1 }`),
    /** The page is told that it is hidden, plays on, stops there, and is told that it is seen again. */
    hideWhilePlaying: (until: number): Promise<void> =>
      run(`
        const hide = (hidden) => {
          Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
          document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
        }
        hide(true)
        await video.play()
        while (video.currentTime < ${until}) await new Promise((resolve) => setTimeout(resolve, 20))
        video.pause()
        await new Promise((resolve) => setTimeout(resolve, 100))
        hide(false)`),
    async playAndClose(until: number): Promise<Watched> {
      const pass = await run<Watched>(`
        const start = video.currentTime
        await video.play()
        while (video.currentTime < ${until}) await new Promise((resolve) => setTimeout(resolve, 20))
        return { start, end: video.currentTime, speed: 1 }`)
      await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })])
      return pass
    },
    async reload(): Promise<void> {
      await page.reload()
    },
    offline: (isOffline: boolean) => context.setOffline(isOffline),
    flush: (): Promise<void> => run('await tracker.flush()'),
    /** Everything there is, also of the video that is attached. */
    flushAll: (): Promise<void> => run(`detach(); await tracker.flush()`),
    consent: (isGiven: boolean): Promise<void> => run(`tracker.consent(${isGiven})`),
    /** The first example of a document, as it stands there. */
    async example(document: string): Promise<void> {
      const code = /```(?:js|html)\n(?:<script[^>]*>)?(.*?)(?:<\/script>\n)?```/s
        .exec(readFileSync(path.join(root, document), 'utf8'))![1]!
        .replace("'@marquee/tracker'", `'${script}'`)
        .replaceAll('https://media.example.com', url)
        .replace('mq_pk_…', seed.publishable_key)
      await run(`
        const video = document.querySelector('video')
        video.src = '/film.mp4'
        await video.play()`)
      await page.addScriptTag({ type: 'module', content: code })
    },
  }
}

import http, { type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startBrowser } from '../browser.ts'

interface ShowOptions extends BrowserContextOptions {
  /** Of the page. */
  head?: string
  /** Attributes of `<html>`. */
  html?: string
  /** What is done with the page before it loads anything. */
  prepare?: (page: Page) => Promise<unknown>
}

/** A browser, and a site of somebody else whose only page is what a test wants to see, for all tests of a file. */
export async function openStage() {
  const browser: Browser = await startBrowser()
  const others = new Map<string, (response: ServerResponse) => unknown>()
  let content = ''
  const site = http.createServer((request, response) => {
    const answer = others.get(request.url!)
    if (answer) answer(response)
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(content)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

  return {
    url,
    /** The site answers something else at another address. */
    serve(address: string, answer: (response: ServerResponse) => unknown): void {
      others.set(address, answer)
    },
    /** A page with this in it, in a browser that knows nothing yet, until the test ends. */
    async show(body: string, { head = '', html = '', prepare, ...options }: ShowOptions = {}): Promise<Page> {
      content = `<!doctype html><html lang="en" ${html}><head><title>An app</title>
        <meta name="viewport" content="width=device-width">${head}</head>
        <body><main><h1>Films</h1>${body}</main></body></html>`
      const context = await browser.newContext({ viewport: { width: 900, height: 700 }, ...options })
      onTestFinished(() => context.close())
      const page = await context.newPage()
      await prepare?.(page)
      await page.goto(url)
      return page
    },
    async close() {
      await browser.close()
      site.closeAllConnections()
      await new Promise((resolve) => site.close(resolve))
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openStage>>

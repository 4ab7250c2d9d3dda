import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { needs } from './needs.ts'

/** The shell first: the same engine without windows of its own, which take a third of what a test's browser works. */
const PROGRAM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => existsSync(file))

export const hasBrowser = needs('a browser (chromium)', PROGRAM !== undefined)

/** What is waited for comes; only a busy machine decides when. */
const PATIENCE_MS = 100_000

const OPTIONS = {
  executablePath: PROGRAM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}

/** A real Chromium; CI installs it, elsewhere it may be missing. */
export async function startBrowser(): Promise<Browser> {
  return patient(await chromium.launch(OPTIONS))
}

/** One that ends as where the power goes: nothing of it hears of that, and no request is ended by it. */
export async function startBrowserToKill(): Promise<{ browser: Browser; kill(): Promise<void> }> {
  const server = await chromium.launchServer(OPTIONS)
  const browser = patient(await chromium.connect(server.wsEndpoint()))
  return { browser, kill: () => server.kill() }
}

function patient(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await newContext(options)
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  return browser
}

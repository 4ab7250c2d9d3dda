import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { needs } from './needs.ts'

const PROGRAM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) =>
  existsSync(file),
)

export const hasBrowser = needs('a browser (chromium)', PROGRAM !== undefined)

/** A real Chromium; CI installs it, elsewhere it may be missing. */
export function startBrowser(): Promise<Browser> {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromium.launch({ executablePath: PROGRAM, args })
}

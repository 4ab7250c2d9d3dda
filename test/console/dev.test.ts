import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { COMPILE_CACHE, collect, discard, freshDataDir, processesIn, root } from '../support/service.ts'

/** The console's sources in a place of their own: what a test changes is nobody else's. */
function copyOfConsole(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-console-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['src', 'public', 'index.html', 'package.json', 'vite.config.ts'])
    cpSync(path.join(root, 'console', name), path.join(folder, name), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  return folder
}

/** As somebody types `npm run dev`, on a data folder of its own. */
function startDev(dataDir: string, consoleFolder: string) {
  const child = spawn(process.execPath, ['bootstrap/run.mjs', 'dev', '--console', consoleFolder], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      MARQUEE_DATA_DIR: dataDir,
      MARQUEE_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const exited = once(child, 'exit') as Promise<[number | null]>
  async function stop(): Promise<number | null> {
    child.kill('SIGINT')
    return (await exited)[0]
  }
  onTestFinished(async () => {
    await stop()
    discard(dataDir)
  })
  return { output, stop }
}

describe.skipIf(!hasBrowser)('npm run dev', () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  test('shows the console as it is written, exchanges what changes in the page, and leaves nothing running', async () => {
    const dataDir = freshDataDir()
    const sources = copyOfConsole()
    const { output, stop } = startDev(dataDir, sources)
    await expect.poll(output).toMatch(/Sign in +http/)
    const address = /the console is at (\S+?)console\//.exec(output())![1]!
    const link = /Sign in +(\S+)/.exec(output())![1]!
    expect(link.startsWith(address), 'one address for all').toBe(true)

    const page = await browser.newPage()
    await page.goto(link)
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    await page.getByRole('link', { name: 'Library' }).click()
    await heading('Library').waitFor()
    await page.evaluate('globalThis.isSamePage = true')

    const file = path.join(sources, 'src/pages/library/library-page.tsx')
    const before = readFileSync(file, 'utf8')
    const changed = before.replaceAll('title={words.nav.library}', 'title="Another word"')
    expect(changed).not.toBe(before)
    writeFileSync(file, changed)
    await heading('Another word').waitFor()
    expect(await page.evaluate('globalThis.isSamePage'), 'without a reload').toBe(true)

    // A change of the service starts it again; whoever is signed in stays so.
    const now = new Date()
    utimesSync(path.join(root, 'server/start/main.ts'), now, now)
    await expect.poll(() => output().split('Marquee is running.').length - 1).toBe(2)
    await page.reload()
    await heading('Another word').waitFor()

    expect(await stop()).toBe(0)
    expect(processesIn(dataDir)).toEqual([])
    await expect(fetch(address)).rejects.toThrow()
  })
})

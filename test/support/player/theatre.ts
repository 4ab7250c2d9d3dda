import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startBrowser } from '../browser.ts'
import { local } from '../media.ts'
import { discard, startService } from '../service.ts'
import { formsOf, videoUploaderOf } from '../video.ts'
import { type InPage, METHODS } from './in-page.ts'
import { openSite } from './site.ts'

export type Player = {
  [Name in keyof InPage]: (...args: Parameters<InPage[Name]>) => Promise<ReturnType<InPage[Name]>>
}

/** A service, a browser, and a page between them, for all tests of a file. */
export async function openTheatre(env: Record<string, string> = {}) {
  const [service, browser, site, folder] = await Promise.all([
    startService({ env }),
    startBrowser(),
    openSite(),
    mkdtemp(path.join(os.tmpdir(), 'player-')),
  ])
  const context = await browser.newContext()
  const { send, complete, upload } = videoUploaderOf(service.api)

  /** A fresh page with a player in it, until the test ends. */
  async function player(): Promise<Player> {
    const page = await context.newPage()
    onTestFinished(() => page.close())
    await page.goto(site.url)
    const functions = METHODS.map((name) => [name, (...args: unknown[]) => call(page, name, args)])
    return Object.fromEntries(functions)
  }

  return {
    api: service.api,
    forms: formsOf({ url: service.url, seed: service.quickstart }),
    folder,
    player,
    send,
    complete,
    async upload(file: string) {
      const video = await upload(await readFile(file))
      return { ...video, url: local(video.file.url) }
    },
    async close() {
      await browser.close()
      await site.close()
      await service.stop()
      discard(service.dataDir)
      await rm(folder, { recursive: true })
    },
  }
}

export type Theatre = Awaited<ReturnType<typeof openTheatre>>

function call(page: Page, name: string, args: unknown[]): Promise<unknown> {
  return page.evaluate(
    ([method, given]) => {
      const { player } = globalThis as unknown as { player: Record<string, (...all: unknown[]) => unknown> }
      return player[method]!(...given)
    },
    [name, args] as const,
  )
}

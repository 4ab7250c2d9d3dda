import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type Api, bearer, key } from '../api.ts'
import { violationsIn } from '../axe.ts'
import { composeForTest, type InProcess } from '../in-process.ts'
import { addTenant, type Tenant } from '../world.ts'

/** Somebody who owns everything. */
export const OWNER = { email: 'owner@acme.example', password: 'a long enough one' }

export interface Visit {
  service: InProcess
  page: Page
  projectId: string
  tenant: Tenant
  /** Calls with a secret key of the project. */
  api: Api
  /** Goes to a page of the project. */
  go(path: string): Promise<void>
}

type VisitOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion' | 'hasTouch'> & {
  service?: InProcess
  env?: Record<string, string>
}

/** The owner of a new organization with one project, signed in in a browser of their own. */
export async function visitConsole(browser: Browser, options: VisitOptions = {}): Promise<Visit> {
  const { service: given, env, ...look } = options
  const service = given ?? (await composeForTest({ env }))
  const tenant = await addTenant(service, 'acme')
  const { projectId, secretKey } = tenant
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...look })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await signIn(page, service, OWNER.email)
  return {
    service,
    page,
    projectId,
    tenant,
    api: service.api.as(key(secretKey)),
    go: async (to) => {
      await page.goto(`${service.url}/console/${projectId}/${to}`)
    },
  }
}

/** Calls as the owner, with a token of their own. */
export async function ownerOf({ service, projectId }: Pick<Visit, 'service' | 'projectId'>): Promise<Api> {
  return service.api.as({ ...bearer(await service.tokenFor(OWNER.email)), 'x-project-id': projectId })
}

/** By the password that everybody has here. */
export async function signIn(page: Page, { url }: InProcess, email: string): Promise<void> {
  await page.goto(`${url}/console/`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** A picture for people to look at, where MARQUEE_TEST_SHOTS names a folder. */
export async function shoot(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = process.env.MARQUEE_TEST_SHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage })
}

/** Nothing against it in either theme and at three widths; a picture of each. */
export async function holdAgainstAxe(page: Page, name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 360],
    ['light', 768],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await shoot(page, `${name}-${colorScheme}-${width}`)
    expect(await violationsIn(page)).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Until none is left, also where one opened before the one before it was gone. */
export const noDialog = (page: Page) => expect.poll(() => page.getByRole('dialog').count()).toBe(0)

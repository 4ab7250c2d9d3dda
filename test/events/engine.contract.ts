import { afterAll, beforeAll, describe } from 'vitest'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { damage } from './engine-contract/damage.ts'
import { erasing } from './engine-contract/erasing.ts'
import { loading } from './engine-contract/loading.ts'
import { published } from './engine-contract/published.ts'
import { reports } from './engine-contract/reports.ts'
import { EVER, loadLines, newOrganization } from './engine-contract/spooled.ts'

interface OpenEngine {
  engine: EventEngine
  /** Puts away what the engine ran on, once it is closed. */
  cleanUp?(): Promise<void>
}

/** What every engine for events promises. A new adapter is done when it passes. */
export function describeEngine(name: string, open: () => Promise<OpenEngine>): void {
  describe(`events in ${name}`, () => {
    let opened: OpenEngine
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(async () => {
      await opened?.engine.close()
      await opened?.cleanUp?.()
    })
    const engine = () => opened.engine

    describe('loading', () => loading(engine))
    describe('erasing', () => erasing(engine))
    describe('damage', () => damage(engine))
    describe('reports', () => reports(engine))
    describe('published examples', () => {
      const organization = newOrganization()
      published(async (lines, query) => {
        await loadLines(engine(), lines)
        return engine().funnel({ organization }, EVER, query)
      }, organization)
    })
  })
}

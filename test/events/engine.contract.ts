import { afterAll, beforeAll, describe } from 'vitest'
import type { EventEngine } from '../../server/platform/events/port.ts'
import { loading } from './engine-contract/loading.ts'
import { reports } from './engine-contract/reports.ts'

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
    describe('reports', () => reports(engine))
  })
}

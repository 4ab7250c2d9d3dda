import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startFeeder } from '../../server/platform/events/feeder.ts'
import { openEventLog } from '../../server/platform/events/open-event-log.ts'
import type { EventEngine, EventScope } from '../../server/platform/events/port.ts'
import { openSpool } from '../../server/platform/events/spool/open-spool.ts'
import { EVER } from './engine-contract/spooled.ts'

export interface EndlessEngine {
  engine: EventEngine
  /** Of events without an end: no report of them ever comes to one by itself. */
  scope: EventScope
  /** Whether it is at work on a report now. */
  isBusy(): Promise<boolean>
  /** Also where a report still runs. */
  cleanUp?(): Promise<void>
}

const PATIENT = { timeout: 60_000, interval: 20 }

/** What every engine does with a report that is no longer wanted. */
export function describeInterrupts(name: string, open: () => Promise<EndlessEngine>): void {
  describe(`a report that runs in ${name}`, { timeout: 200_000 }, () => {
    let opened: EndlessEngine
    beforeAll(async () => {
      opened = await open()
    }, 120_000)
    afterAll(() => opened?.cleanUp?.())

    /** The engine behind a log that is so patient with a report, which asks nothing of it but reports. */
    async function openLog(patienceSeconds: number) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-interrupted-'))
      const options = { segmentBytes: 2 ** 20, segmentSeconds: 3600, maxBytes: 2 ** 24 }
      const spool = await openSpool(folder, options)
      const feeder = startFeeder(spool, opened.engine, {
        seconds: 3600,
        keepSeconds: 3600,
        keepBytes: 2 ** 24,
        aside: path.join(folder, 'rejected'),
        onTrouble: () => {},
        onSetAside: () => {},
      })
      onTestFinished(async () => {
        await feeder.close()
        await spool.close()
        rmSync(folder, { recursive: true, force: true })
      })
      return openEventLog({
        spool,
        engine: opened.engine,
        feeder,
        isWrittenThrough: false,
        erase: async () => {},
        patienceSeconds,
      })
    }

    /** It has stopped, and answers others. */
    async function expectQuiet() {
      await expect.poll(opened.isBusy, PATIENT).toBe(false)
      await opened.engine.check()
    }

    test('is ended in it once nobody waits for it any more', async () => {
      const gone = new AbortController()
      const { reports } = await openLog(3600)
      const report = reports.realtime(opened.scope, EVER, undefined, gone.signal)
      report.catch(() => {})
      await expect.poll(opened.isBusy, PATIENT).toBe(true)
      gone.abort()
      await expect(report).rejects.toMatchObject({ details: 'nobody waits for this report' })
      await expectQuiet()
    })

    test('is ended in it after the time that a report has', async () => {
      const { reports } = await openLog(5)
      const report = reports.realtime(opened.scope, EVER)
      report.catch(() => {})
      await expect.poll(opened.isBusy, PATIENT).toBe(true)
      await expect(report).rejects.toMatchObject({ details: expect.stringContaining('ended after 5 s') })
      await expectQuiet()
    })

    test('is ended in it also where it had hardly begun', async () => {
      const at = (wait: number) => (wait < 0 ? Promise.resolve() : sleep(wait))
      for (const wait of [-1, -1, -1, 0, 1, 5, 20, 50, 100]) {
        const gone = new AbortController()
        const report = opened.engine.realtime(opened.scope, EVER, undefined, gone.signal)
        await Promise.all([expect(report).rejects.toThrow(), at(wait).then(() => gone.abort())])
      }
      await expectQuiet()
    })
  })
}

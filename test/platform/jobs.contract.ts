import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineQueue, type Handler, handle, type Queue } from '../../server/platform/jobs/port.ts'
import type { Transaction } from '../../server/platform/postgres/client.ts'
import { gate, type JobsUnderTest, nextQueue, type Payload, workbenchOf } from './jobs-workbench.ts'

/** What jobs promise. */
export function jobsContract(name: string, adapter: JobsUnderTest): void {
  const setUp = workbenchOf(adapter)

  describe(`jobs: ${name}`, () => {
    test('a job exists when its transaction commits, once for each key while it waits', async () => {
      const { queue, jobs, enqueue, work, untilNoneIsLeft } = setUp()
      const rolledBack = adapter.sql().begin(async (tx) => {
        await jobs.enqueue(tx, queue, 'c', { n: 9 })
        throw new Error('no')
      })
      await expect(rolledBack).rejects.toThrow('no')
      await enqueue('a', 1)
      await enqueue('a', 2)
      await enqueue('b', 3)
      const done: number[] = []
      work(async ({ payload }) => void done.push(payload.n))
      await untilNoneIsLeft()
      // Of what was asked for twice, the newest.
      expect(done.sort()).toEqual([2, 3])
    })

    test('asked for again while it runs, it runs once more, however often it was asked for', async () => {
      const { enqueue, work, untilNoneIsLeft, records, queue } = setUp()
      const began = gate()
      const goOn = gate()
      const runs: number[] = []
      work(async ({ payload, attempt }) => {
        expect(attempt).toBe(1)
        runs.push(payload.n)
        began.open()
        if (runs.length === 1) await goOn.opened
      })
      await enqueue('a', 1)
      await began.opened
      await enqueue('a', 2)
      await enqueue('a', 3)
      expect(await records.count()).toContainEqual({
        queue: queue.name,
        ...{ waiting: 0, running: 1, failed: 0, oldestWaitingSeconds: 0 },
      })
      goOn.open()
      await untilNoneIsLeft()
      expect(runs).toEqual([1, 3])
    })

    test('after every enqueue a run begins, whenever the enqueue comes', async () => {
      const moment = fc.record({ key: fc.constantFrom('a', 'b'), pause: fc.integer({ min: 0, max: 15 }) })
      await fc.assert(
        fc.asyncProperty(
          fc.array(moment, { minLength: 1, maxLength: 12 }),
          fc.integer({ min: 0, max: 8 }),
          async (moments, length) => {
            const { jobs, queue, records } = setUp()
            let clock = 0
            const begun: { key: number; at: number }[] = []
            const handler: Handler<Payload> = {
              attempts: 1,
              concurrency: 2,
              async run({ payload }) {
                begun.push({ key: payload.n, at: ++clock })
                await sleep(length)
              },
              giveUp: async () => expect.unreachable(),
            }
            jobs.work([handle(queue, handler)])
            const asked: { key: number; at: number }[] = []
            for (const { key, pause } of moments) {
              await sleep(pause)
              const n = key.charCodeAt(0)
              // A run that begins before the commit is known here also counts: it may have seen it.
              asked.push({ key: n, at: clock })
              await adapter.sql().begin((tx: Transaction) => jobs.enqueue(tx, queue, key, { n }))
            }
            while ((await records.list({ queue: queue.name })).length > 0) await sleep(5)
            await jobs.close()
            for (const one of asked)
              expect(begun.some(({ key, at }) => key === one.key && at > one.at)).toBe(true)
          },
        ),
        { numRuns: 12 },
      )
    })

    test('a failure is tried again, then given up once, and kept with its error', async () => {
      const { givenUp, enqueue, work, all, untilFailed, records, queue } = setUp({ attempts: 2 })
      const attempts: number[] = []
      await enqueue('a', 1)
      work(async ({ attempt }) => {
        attempts.push(attempt)
        throw new Error(`it does not work\u0000${'!'.repeat(5000)}`)
      })
      await untilFailed()
      expect(attempts).toEqual([1, 2])
      expect(givenUp).toMatchObject([{ n: 1, reason: expect.stringContaining('it does not work') }])
      const [job] = await all()
      expect(job).toMatchObject({ key: 'a', state: 'failed', attempts: 2, failed_at: expect.any(String) })
      expect(job!.last_error).toMatch(/^it does not work !{100}/)
      expect(job!.last_error!.length).toBeLessThanOrEqual(2000)
      expect(await records.count()).toContainEqual({
        queue: queue.name,
        ...{ waiting: 0, running: 0, failed: 1, oldestWaitingSeconds: 0 },
      })
    })

    test('what failed is retried by the operator, or asked for again, with all its tries', async () => {
      const { enqueue, work, records, queue, givenUp, untilFailed, untilNoneIsLeft } = setUp({ attempts: 1 })
      let mended = false
      const seen: [number, number][] = []
      work(async ({ payload, attempt }) => {
        if (!mended) throw new Error('not yet')
        seen.push([payload.n, attempt])
      })
      for (const again of [
        () => records.retry({ failedOf: queue.name }),
        async () => records.retry({ id: (await records.list({ queue: queue.name }))[0]!.id }),
        () => enqueue('a', 2),
      ]) {
        mended = false
        await enqueue('a', 1)
        await untilFailed()
        mended = true
        await again()
        await untilNoneIsLeft()
      }
      expect(seen).toEqual([
        [1, 1],
        [1, 1],
        [2, 1],
      ])
      expect(givenUp).toHaveLength(3)
    })

    test('what was asked for in the last try that fails is done after it', async () => {
      const { enqueue, work, givenUp, untilNoneIsLeft } = setUp({ attempts: 1 })
      const runs: number[] = []
      work(async ({ payload }) => {
        runs.push(payload.n)
        if (runs.length > 1) return
        await enqueue('a', 2)
        throw new Error('no')
      })
      await enqueue('a', 1)
      await untilNoneIsLeft()
      expect(runs).toEqual([1, 2])
      expect(givenUp).toEqual([{ n: 1, reason: 'no' }])
    })

    test('what its workers died of too often is given up without another try', async () => {
      const { givenUp, enqueue, work, untilFailed, queue, all } = setUp()
      await enqueue('a', 1)
      await adapter.pretendKilled(queue.name, 3)
      work(async () => expect.unreachable())
      await untilFailed()
      expect(givenUp).toEqual([{ n: 1, reason: 'its worker was killed again and again' }])
      expect(await all()).toMatchObject([{ last_error: 'its worker was killed again and again' }])
    })

    test('a job that a stop breaks off is due at once and loses no try', async () => {
      const { enqueue, work, jobs, all } = setUp()
      const began = gate()
      const stop = gate()
      work(async () => {
        began.open()
        await stop.opened
        throw new Error('stopping')
      })
      await enqueue('a', 1)
      await began.opened
      const closed = jobs.close()
      stop.open()
      await closed
      expect(await all()).toMatchObject([{ state: 'waiting', attempts: 0, last_error: null }])
    })

    test('every queue has one handler, or no work is begun', async () => {
      const [one, two, other] = Array.from({ length: 3 }, () => defineQueue<Payload>(nextQueue()))
      const jobs = adapter.open([one!, two!])
      onTestFinished(() => jobs.close())
      const handler = { attempts: 1, concurrency: 1, run: async () => {}, giveUp: async () => {} }
      const assigned = (...queues: (Queue<Payload> | undefined)[]) =>
        queues.map((queue) => handle(queue!, handler))
      expect(() => jobs.work(assigned(one))).toThrow(`${two!.name} has no handler`)
      expect(() => jobs.work(assigned(one, two, two))).toThrow(`${two!.name} has more than one handler`)
      expect(() => jobs.work(assigned(one, two, other))).toThrow(`${other!.name} is not declared`)
      const undeclared = adapter.sql().begin((tx) => jobs.enqueue(tx, other!, 'a', { n: 1 }))
      await expect(undeclared).rejects.toThrow(`${other!.name} is not declared`)
      expect(await adapter.records([]).list({ queue: other!.name })).toEqual([])
    })

    test('figures tell how many wait, and since when', async () => {
      const { enqueue, records, queue, all } = setUp()
      const zeros = { queue: queue.name, waiting: 0, running: 0, failed: 0, oldestWaitingSeconds: 0 }
      const figures = async () => (await records.count()).find((one) => one.queue === queue.name)
      expect(await figures()).toEqual(zeros)
      await enqueue('a', 1)
      await enqueue('b', 1)
      const { oldestWaitingSeconds, ...counts } = (await figures())!
      expect(counts).toMatchObject({ waiting: 2, running: 0, failed: 0 })
      expect(oldestWaitingSeconds).toBeGreaterThanOrEqual(0)
      expect(await all()).toMatchObject([
        { key: 'a', state: 'waiting', attempts: 0 },
        { key: 'b', state: 'waiting' },
      ])
    })

    test('what has failed is forgotten in the end', async () => {
      const { enqueue, work, untilFailed, records, all } = setUp({ attempts: 1 })
      work(async () => {
        throw new Error('no')
      })
      await enqueue('a', 1)
      await untilFailed()
      await records.forgetFailed(3600)
      expect(await all()).toHaveLength(1)
      await records.forgetFailed(0)
      expect(await all()).toEqual([])
    })
  })
}

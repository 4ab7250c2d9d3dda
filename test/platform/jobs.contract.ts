import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { LeaseLost } from '../../server/platform/jobs/errors.ts'
import {
  defineQueue,
  type Handler,
  handle,
  type Job,
  type JobQueue,
  type JobRecords,
  type Queue,
} from '../../server/platform/jobs/port.ts'
import type { Sql, Transaction } from '../../server/platform/postgres/client.ts'

interface Payload {
  n: number
}

/** What the suite needs of an adapter beside the port itself. */
export interface JobsUnderTest {
  sql(): Sql
  open(queues: Queue[], leaseSeconds?: number): JobQueue
  records(queues: Queue[]): JobRecords
  /** As if no lease of this queue had been renewed in time. */
  expireLeases(queue: string): Promise<void>
  /** Ends the pauses before the next tries. */
  skipPauses(queue: string): Promise<void>
  /** As workers leave a job that were killed so often in the middle of it. */
  pretendKilled(queue: string, times: number): Promise<void>
}

let count = 0

/** What jobs promise. */
export function jobsContract(name: string, adapter: JobsUnderTest): void {
  describe(`jobs: ${name}`, () => {
    function setUp({ leaseSeconds, attempts = 3, concurrency = 2 } = {} as Partial<SetUp>) {
      const queue = defineQueue<Payload>(`test-${++count}`)
      const jobs = adapter.open([queue], leaseSeconds)
      const records = adapter.records([queue])
      const givenUp: { n: number; reason: string }[] = []
      const handlerOf = (run: Handler<Payload>['run']): Handler<Payload> => ({
        attempts,
        concurrency,
        run,
        giveUp: async ({ n }, error) => {
          givenUp.push({ n, reason: error.message })
        },
      })
      const opened = [jobs]
      onTestFinished(async () => {
        await Promise.all(opened.map((one) => one.close()))
      })
      return {
        queue,
        jobs,
        records,
        givenUp,
        enqueue: (key: string, n: number) =>
          adapter.sql().begin((tx) => jobs.enqueue(tx, queue, key, { n })) as Promise<void>,
        work: (run: Handler<Payload>['run']) => jobs.work([handle(queue, handlerOf(run))]),
        /** Another process that takes jobs of the same queue. */
        workElsewhere(run: Handler<Payload>['run']) {
          const elsewhere = adapter.open([queue], leaseSeconds)
          opened.push(elsewhere)
          elsewhere.work([handle(queue, handlerOf(run))])
        },
        all: () => records.list({ queue: queue.name }),
        async untilNoneIsLeft() {
          while ((await records.list({ queue: queue.name })).length > 0) await sleep(20)
        },
        async untilFailed() {
          while ((await records.list({ queue: queue.name, state: 'failed' })).length === 0) {
            await adapter.skipPauses(queue.name)
            await sleep(20)
          }
        },
      }
    }

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

    describe('a worker that lost its lease', () => {
      /** One whose job another has taken meanwhile, and is in the middle of. */
      async function loser(end: (job: Job<Payload>) => Promise<void>) {
        const world = setUp({ leaseSeconds: 3, concurrency: 1 })
        const began = gate()
        const taken = gate()
        const ended = gate()
        const goOn = gate()
        let isFirst = true
        const asLoser = async (job: Job<Payload>) => {
          if (!isFirst) return expect.unreachable()
          isFirst = false
          began.open()
          await taken.opened
          await end(job).finally(ended.open)
        }
        world.work(asLoser)
        await world.enqueue('a', 1)
        await began.opened
        world.workElsewhere(async ({ attempt }) => {
          expect(attempt).toBe(2)
          taken.open()
          await goOn.opened
        })
        let isTaken = false
        void taken.opened.then(() => {
          isTaken = true
        })
        while (!isTaken) {
          await adapter.expireLeases(world.queue.name)
          await sleep(50)
        }
        await ended.opened
        // Long enough for whatever it does once its work has ended.
        await sleep(300)
        expect(await world.all()).toMatchObject([{ state: 'running', attempts: 2, last_error: null }])
        goOn.open()
        await world.untilNoneIsLeft()
        expect(world.givenUp).toEqual([])
      }

      test('does not finish another’s run', () => loser(async () => {}))

      test('does not reschedule another’s run', () =>
        loser(async () => {
          throw new Error('it failed meanwhile')
        }))

      test('is told so, and cannot say that it has got on', () =>
        loser(async ({ signal, progressed }) => {
          while (!signal.aborted) await sleep(20)
          expect(signal.reason).toBeInstanceOf(LeaseLost)
          await expect(progressed()).rejects.toThrow(LeaseLost)
        }))

      test('learns of it at the latest when it says that it has got on', () =>
        loser(async ({ signal, progressed }) => {
          await expect(progressed()).rejects.toThrow(LeaseLost)
          expect(signal.aborted).toBe(true)
        }))
    })

    test('a worker whose job is dropped is told so, and nothing of the job comes back', async () => {
      const { enqueue, work, records, all } = setUp({ leaseSeconds: 1 })
      const began = gate()
      const ended = gate()
      work(async ({ signal }) => {
        began.open()
        while (!signal.aborted) await sleep(20)
        ended.open()
        throw new Error('broken off')
      })
      await enqueue('a', 1)
      await began.opened
      const [job] = await all()
      expect(await records.retry({ id: job!.id })).toEqual([])
      expect(await records.drop({ id: job!.id })).toMatchObject([{ key: 'a', state: 'running' }])
      await ended.opened
      await sleep(100)
      expect(await all()).toEqual([])
    })

    test('every queue has one handler, or no work is begun', async () => {
      const [one, two, other] = ['one', 'two', 'other'].map((it) => defineQueue<Payload>(`${it}-${++count}`))
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

interface SetUp {
  leaseSeconds: number
  attempts: number
  concurrency: number
}

function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: () => resolve() }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { LeaseLost } from '../../server/platform/jobs/errors.ts'
import type { Job, JobQueue } from '../../server/platform/jobs/port.ts'
import { gate, type JobsUnderTest, type Payload, workbenchOf } from './jobs-workbench.ts'

/** What is promised where workers are slow, gone, or told to stop. */
export function leasesContract(name: string, adapter: JobsUnderTest): void {
  const setUp = workbenchOf(adapter)

  describe(`leases of jobs: ${name}`, () => {
    describe('a worker that lost its lease', () => {
      /** One whose job another has taken meanwhile, and is in the middle of. */
      async function loser(end: (job: Job<Payload>, jobs: JobQueue) => Promise<void>) {
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
          await end(job, world.jobs).finally(ended.open)
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

      test('does not put another’s run back as it stops', () =>
        loser(async (_job, jobs) => {
          void jobs.close()
          throw new Error('stopping')
        }))

      test('does not give up what another has given up', async () => {
        const { enqueue, work, workElsewhere, givenUp, untilFailed, queue, all } = setUp({
          leaseSeconds: 3,
          concurrency: 1,
        })
        const began = gate()
        const goOn = gate()
        await enqueue('a', 1)
        await adapter.pretendKilled(queue.name, 2)
        work(async () => {
          began.open()
          await goOn.opened
          throw new Error('it failed meanwhile')
        })
        await began.opened
        await adapter.pretendKilled(queue.name, 3)
        workElsewhere(async () => expect.unreachable())
        await untilFailed()
        goOn.open()
        // Long enough for whatever it does once its work has ended.
        await sleep(300)
        expect(givenUp).toEqual([{ n: 1, reason: 'its worker was killed again and again' }])
        expect(await all()).toMatchObject([{ last_error: 'its worker was killed again and again' }])
      })

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
  })
}

import { describe, expect, onTestFinished, test } from 'vitest'
import { type Handler, handle } from '../../server/platform/jobs/port.ts'
import { gate, type JobsUnderTest, type Payload, workbenchOf } from './jobs-workbench.ts'

/** What is promised where workers have nothing to do, and others have. */
export function helpingContract(name: string, adapter: JobsUnderTest): void {
  const setUp = workbenchOf(adapter)

  describe(`helping with jobs: ${name}`, () => {
    /** One worker in the middle of a job, and another that has none. */
    async function workerAndHelper() {
      const { queue, jobs, enqueue, untilNoneIsLeft } = setUp()
      const began = gate()
      const goOn = gate()
      const ran: [worker: string, n: number][] = []
      const helped: { n: number; signal: AbortSignal }[] = []
      const ended = gate()
      const helps = gate()
      const handlerOf = (worker: string): Handler<Payload> => ({
        attempts: 1,
        concurrency: 1,
        async run({ payload }) {
          ran.push([worker, payload.n])
          if (payload.n !== 1) return
          began.open()
          await goOn.opened
        },
        async help(payload, signal) {
          helped.push({ n: payload.n, signal })
          helps.open()
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
          ended.open()
          // Its holder meets what goes wrong, and nobody else hears of it.
          throw new Error('no')
        },
        giveUp: async () => expect.unreachable(),
      })
      jobs.work([handle(queue, handlerOf('one'))])
      await enqueue('a', 1)
      await began.opened
      const elsewhere = adapter.open([queue])
      onTestFinished(() => elsewhere.close())
      elsewhere.work([handle(queue, handlerOf('two'))])
      await helps.opened
      return { enqueue, elsewhere, goOn, ended, ran, helped, untilNoneIsLeft }
    }

    test('who has nothing to do helps whoever holds a job, until that is done', async () => {
      const { goOn, ended, ran, helped, untilNoneIsLeft } = await workerAndHelper()
      expect(helped).toMatchObject([{ n: 1, signal: { aborted: false } }])
      goOn.open()
      await untilNoneIsLeft()
      await ended.opened
      expect(ran).toEqual([['one', 1]])
    })

    test('a job of its own goes first', async () => {
      const { enqueue, ended, goOn, ran, untilNoneIsLeft } = await workerAndHelper()
      await enqueue('b', 2)
      await ended.opened
      await expect.poll(() => ran).toContainEqual(['two', 2])
      goOn.open()
      await untilNoneIsLeft()
      expect(ran).toEqual([
        ['one', 1],
        ['two', 2],
      ])
    })

    test('a stop ends it', async () => {
      const { elsewhere, goOn, ended, untilNoneIsLeft } = await workerAndHelper()
      await elsewhere.close()
      await ended.opened
      goOn.open()
      await untilNoneIsLeft()
    })
  })
}

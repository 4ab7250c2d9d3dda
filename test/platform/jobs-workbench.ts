import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import {
  defineQueue,
  type Handler,
  handle,
  type JobQueue,
  type JobRecords,
  type Queue,
} from '../../server/platform/jobs/port.ts'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { jobRecords } from '../../server/platform/jobs/records.ts'
import type { Sql } from '../../server/platform/postgres/client.ts'

export interface Payload {
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

/** The adapter on a PostgreSQL of the test's choice. */
export const jobsIn = (sql: () => Sql): JobsUnderTest => ({
  sql,
  open: (queues, leaseSeconds) =>
    postgresJobs(sql(), { queues, leaseSeconds, pollSeconds: 0.02, onError: () => {} }),
  records: (queues) => jobRecords(sql(), queues),
  async expireLeases(queue) {
    await sql()`update jobs set due_at = now() where queue = ${queue} and attempts = 1`
  },
  async skipPauses(queue) {
    await sql()`update jobs set due_at = now() where queue = ${queue} and owner is null`
  },
  async pretendKilled(queue, times) {
    await sql()`update jobs set attempts = ${times}, owner = 'killed', due_at = now() where queue = ${queue}`
  },
})

let count = 0

/** A name that no queue has yet. */
export const nextQueue = () => `test-${++count}`

/** Queues of a test’s own, and what is done with them. */
export function workbenchOf(adapter: JobsUnderTest) {
  return function setUp({ leaseSeconds, attempts = 3, concurrency = 2 } = {} as Partial<SetUp>) {
    const queue = defineQueue<Payload>(nextQueue())
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
}

interface SetUp {
  leaseSeconds: number
  attempts: number
  concurrency: number
}

export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: () => resolve() }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Job } from '../../server/platform/jobs/port.ts'
import { postgresJobs } from '../../server/platform/jobs/postgres.ts'
import { composeForTest } from '../support/in-process.ts'

async function queueForTest(run: (job: Job<{ n: number }>) => Promise<void>, attempts = 3) {
  // The service's own worker stays out of it: it serves queues of other names.
  const { sql } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const queue = postgresJobs(sql, () => {})
  const givenUp: { n: number; reason: string }[] = []
  const handler = {
    attempts,
    concurrency: 2,
    run,
    giveUp: async ({ n }: { n: number }, error: Error) => {
      givenUp.push({ n, reason: error.message })
    },
  }
  const enqueue = (n: number) => sql.begin((tx) => queue.enqueue(tx, 'test', String(n), { n }))
  const isEmpty = async () => (await sql`select from jobs`).length === 0
  const untilEmpty = async () => {
    while (!(await isEmpty())) await sleep(20)
  }
  return { sql, queue, givenUp, enqueue, untilEmpty, work: () => queue.work({ test: handler as never }) }
}

test('a job exists when its transaction commits, once for each key', async () => {
  const done: number[] = []
  const { sql, queue, enqueue, untilEmpty, work } = await queueForTest(async ({ payload }) => {
    done.push(payload.n)
  })
  const rolledBack = sql.begin(async (tx) => {
    await queue.enqueue(tx, 'test', '9', { n: 9 })
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  await Promise.all([enqueue(1), enqueue(1), enqueue(2)])
  work()
  await untilEmpty()
  await queue.close()
  expect(done.sort()).toEqual([1, 2])
})

test('a failure is tried again, and given up with its reason in the end', async () => {
  const attempts: number[] = []
  const { sql, queue, givenUp, enqueue, untilEmpty, work } = await queueForTest(async ({ attempt }) => {
    attempts.push(attempt)
    throw new Error('it does not work')
  }, 2)
  await enqueue(1)
  work()
  while (attempts.length < 1) await sleep(10)
  // Does not wait for the pause between two tries.
  while (
    (await sql`update jobs set due_at = now() where attempts = 1 and due_at < now() + interval '10 seconds'`)
      .count === 0
  )
    await sleep(10)
  await untilEmpty()
  await queue.close()
  expect(attempts).toEqual([1, 2])
  expect(givenUp).toEqual([{ n: 1, reason: 'it does not work' }])
})

test('what its workers died of too often is given up without another try', async () => {
  let runs = 0
  const { sql, queue, givenUp, enqueue, untilEmpty, work } = await queueForTest(async () => {
    runs++
  })
  await enqueue(1)
  // As three workers leave it that were killed in the middle.
  await sql`update jobs set attempts = 3, due_at = now()`
  work()
  await untilEmpty()
  await queue.close()
  expect(runs).toBe(0)
  expect(givenUp).toEqual([{ n: 1, reason: 'its worker was killed again and again' }])
})

test('a job that a stop breaks off is due at once and loses no try', async () => {
  let begin: () => void
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let breakOff: (error: Error) => void
  const { sql, queue, enqueue, work } = await queueForTest(
    () =>
      new Promise((_, reject) => {
        breakOff = reject
        begin()
      }),
  )
  await enqueue(1)
  work()
  await begun
  const closed = queue.close()
  breakOff!(new Error('stopping'))
  await closed
  expect(await sql`select attempts, due_at <= now() as due from jobs`).toMatchObject([
    { attempts: 0, due: true },
  ])
})

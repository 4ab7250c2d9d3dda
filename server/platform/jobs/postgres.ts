import { traced, traceparent } from '../../base/tracing.ts'
import type { Sql } from '../postgres/client.ts'
import { LeaseLost } from './errors.ts'
import { helpAnother } from './helping.ts'
import { type Lease, takeLease } from './leases.ts'
import type { Assignment, Handler, JobQueue, Queue } from './port.ts'

export interface JobOptions {
  /** Every queue that is ever used. */
  queues: readonly Queue[]
  onError(error: unknown, queue: string): void
  /** A worker that has not been heard of for so long counts as killed. */
  leaseSeconds?: number
  /** How often it is looked whether a job is due. */
  pollSeconds?: number
}

const LEASE_SECONDS = 30
const POLL_SECONDS = 1

/** Jobs in the same PostgreSQL as what they are about: enqueued by the same transaction, or not at all. */
export function postgresJobs(
  sql: Sql,
  { queues, onError, leaseSeconds = LEASE_SECONDS, pollSeconds = POLL_SECONDS }: JobOptions,
): JobQueue {
  const loops: Promise<void>[] = []
  const wakers = new Set<() => void>()
  const isDeclared = (queue: Queue) => queues.includes(queue)
  const stopping = new AbortController()
  let closed = false

  async function run(queue: string, handler: Handler<never>, lease: Lease): Promise<void> {
    let { attempts } = lease
    async function progressed(): Promise<void> {
      attempts = 1
      await lease.progressed()
    }
    try {
      // Taken once too often: its earlier workers died of it before they could say so.
      if (attempts > handler.attempts) throw new Error('its worker was killed again and again')
      const job = { payload: lease.payload, attempt: attempts, signal: lease.lost, progressed }
      await traced(
        () => ({
          name: `job ${queue}`,
          kind: 'consumer',
          attributes: { 'messaging.destination.name': queue, 'marquee.attempt': attempts },
          begins: { linked: lease.traceparent ?? undefined },
        }),
        () => handler.run(job),
      )
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      if (lease.lost.aborted) throw lease.lost.reason
      if (closed) return lease.putBack()
      onError(error, queue)
      if (attempts < handler.attempts) return lease.retryIn(2 ** attempts, error)
      // Still this worker's own: another that has it by now decides for itself.
      await lease.renew()
      await handler.giveUp(lease.payload, error)
      return lease.fail(error)
    }
    await lease.finish()
  }

  async function loop(queue: string, handler: Handler<never>): Promise<void> {
    while (!closed) {
      let lease: Lease | undefined
      try {
        lease = await takeLease(sql, queue, leaseSeconds)
        if (lease && closed) await lease.putBack()
        else if (lease) await run(queue, handler, lease)
        else {
          if (handler.help) await helpAnother(sql, queue, handler, { pollSeconds, stopping: stopping.signal })
          await nap()
        }
      } catch (error) {
        // Whoever has it now runs it; that is no reason to wait.
        if (!closed || error instanceof LeaseLost) onError(error, queue)
        if (!closed && !(error instanceof LeaseLost)) await nap()
      } finally {
        lease?.end()
      }
    }
  }

  async function nap(): Promise<void> {
    // Closed while it asked for a lease: nobody wakes it any more.
    if (closed) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        wakers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, pollSeconds * 1000)
      wakers.add(wake)
    })
  }

  return {
    async enqueue(tx, queue, key, payload) {
      if (!isDeclared(queue)) throw new Error(`the queue ${queue.name} is not declared`)
      // A row that is being finished is waited for: then it is gone, or it is known to have a successor.
      await tx`
        insert into jobs (queue, key, payload, traceparent)
        values (${queue.name}, ${key}, ${tx.json(payload as never)}, ${traceparent() ?? null})
        on conflict (queue, key) do update set payload = excluded.payload, traceparent = excluded.traceparent,
          successor_at = case when jobs.owner is null then null else coalesce(jobs.successor_at, now()) end,
          attempts = case when jobs.failed_at is null then jobs.attempts else 0 end,
          due_at = case when jobs.failed_at is null then jobs.due_at else now() end,
          enqueued_at = case when jobs.failed_at is null then jobs.enqueued_at else now() end,
          failed_at = null`
    },
    work(assignments) {
      requireOneHandlerEach(queues, assignments)
      for (const { queue, handler } of assignments)
        for (let i = 0; i < handler.concurrency; i++) loops.push(loop(queue.name, handler))
    },
    async close() {
      closed = true
      stopping.abort()
      for (const wake of [...wakers]) wake()
      await Promise.all(loops)
    },
  }
}

/** A job that nobody takes would wait for ever, and one that two take in different ways would be done by chance. */
function requireOneHandlerEach(queues: readonly Queue[], assignments: readonly Assignment[]): void {
  for (const { queue } of assignments)
    if (!queues.includes(queue)) throw new Error(`the queue ${queue.name} is not declared`)
  const names = queues.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new Error('two queues are declared by the same name')
  for (const queue of queues) {
    const handlers = assignments.filter((one) => one.queue === queue).length
    if (handlers !== 1)
      throw new Error(
        `the queue ${queue.name} has ${handlers === 0 ? 'no handler' : 'more than one handler'}`,
      )
  }
}

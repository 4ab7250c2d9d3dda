import type { Sql } from '../postgres/client.ts'
import type { Handler, JobQueue } from './port.ts'

const LEASE_SECONDS = 30
const POLL_MS = 1000

interface TakenJob {
  id: number
  payload: never
  attempts: number
}

/** Jobs in the same PostgreSQL as what they are about: enqueued by the same transaction, or not at all. */
export function postgresJobs(sql: Sql, onError: (error: unknown, queue: string) => void): JobQueue {
  const loops: Promise<void>[] = []
  const wakers = new Set<() => void>()
  let closed = false

  async function take(queue: string): Promise<TakenJob | undefined> {
    const [job] = await sql<TakenJob[]>`
      update jobs set attempts = attempts + 1, due_at = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = (select id from jobs where queue = ${queue} and due_at <= now()
                  order by due_at, id limit 1 for update skip locked)
      returning id, payload, attempts`
    return job
  }

  /** Goes on saying that the job is under way; a worker that was killed falls silent. */
  function renewLease(id: number): NodeJS.Timeout {
    const renew = () =>
      sql`
      update jobs set due_at = now() + make_interval(secs => ${LEASE_SECONDS}) where id = ${id}`.catch(
        () => {},
      )
    return setInterval(renew, (LEASE_SECONDS * 1000) / 3).unref()
  }

  /** Broken off by the stop, through no fault of its own: it is due at once, and this try does not count. */
  async function putBack(id: number): Promise<void> {
    await sql`update jobs set due_at = now(), attempts = attempts - 1 where id = ${id}`
  }

  async function run(
    queue: string,
    handler: Handler<never>,
    { id, payload, attempts: tries }: TakenJob,
  ): Promise<void> {
    const lease = renewLease(id)
    let attempts = tries
    async function progressed(): Promise<void> {
      attempts = 1
      await sql`update jobs set attempts = 1 where id = ${id}`
    }
    try {
      // Taken once too often: its earlier workers died of it before they could say so.
      if (attempts > handler.attempts) throw new Error('its worker was killed again and again')
      await handler.run({ payload, attempt: attempts, progressed })
      await sql`delete from jobs where id = ${id}`
    } catch (error) {
      if (closed) {
        await putBack(id)
        return
      }
      onError(error, queue)
      if (attempts >= handler.attempts) {
        await handler.giveUp(payload, error as Error)
        await sql`delete from jobs where id = ${id}`
      } else
        await sql`update jobs set due_at = now() + make_interval(secs => ${2 ** attempts}) where id = ${id}`
    } finally {
      clearInterval(lease)
    }
  }

  async function loop(queue: string, handler: Handler<never>): Promise<void> {
    while (!closed) {
      try {
        const job = await take(queue)
        if (job && closed) await putBack(job.id)
        else if (job) await run(queue, handler, job)
        else await nap()
      } catch (error) {
        if (closed) return
        onError(error, queue)
        await nap()
      }
    }
  }

  function nap(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        wakers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, POLL_MS)
      wakers.add(wake)
    })
  }

  return {
    async enqueue(tx, queue, key, payload) {
      await tx`
        insert into jobs (queue, key, payload) values (${queue}, ${key}, ${tx.json(payload as never)})
        on conflict (queue, key) do nothing`
    },
    work(handlers) {
      for (const [queue, handler] of Object.entries(handlers))
        for (let i = 0; i < handler.concurrency; i++) loops.push(loop(queue, handler))
    },
    async close() {
      closed = true
      for (const wake of [...wakers]) wake()
      await Promise.all(loops)
    },
  }
}

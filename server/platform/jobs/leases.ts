import { newIdSuffix } from '../../base/ids.ts'
import type { Sql } from '../postgres/client.ts'
import { LeaseLost } from './errors.ts'

interface TakenJob {
  id: number
  payload: never
  attempts: number
  traceparent: string | null
}

/** A job as the worker that took it holds it. All but `lost` throw LeaseLost where it is not this worker's any more. */
export interface Lease {
  payload: never
  attempts: number
  /** The span that asked for it, where that was traced. */
  traceparent: string | null
  /** Aborted as soon as it is known to be lost. */
  lost: AbortSignal
  /** Says at once that it is under way, which it also does by itself now and then. */
  renew(): Promise<void>
  progressed(): Promise<void>
  /** Broken off by the stop, through no fault of its own: it is due at once, and this try does not count. */
  putBack(): Promise<void>
  retryIn(seconds: number, error: Error): Promise<void>
  fail(error: Error): Promise<void>
  finish(): Promise<void>
  /** No longer says that the job is under way. */
  end(): void
}

const LONGEST_ERROR = 2000

/** Takes the job that is due longest. Every statement about it names its owner, so that nobody touches another's run. */
export async function takeLease(sql: Sql, queue: string, seconds: number): Promise<Lease | undefined> {
  const owner = newIdSuffix()
  const [job] = await sql<TakenJob[]>`
    update jobs set owner = ${owner}, attempts = attempts + 1, successor_at = null,
      due_at = now() + make_interval(secs => ${seconds})
    where id = (select id from jobs where queue = ${queue} and failed_at is null and due_at <= now()
                order by due_at, id limit 1 for update skip locked)
    returning id, payload, attempts, traceparent`
  return job && holdLease(sql, { ...job, owner }, seconds)
}

function holdLease(
  sql: Sql,
  { id, owner, payload, attempts, traceparent }: TakenJob & { owner: string },
  seconds: number,
): Lease {
  const controller = new AbortController()

  function lose(): LeaseLost {
    const error = new LeaseLost()
    controller.abort(error)
    return error
  }

  function requireOne(rows: readonly object[]): void {
    if (rows.length === 0) throw lose()
  }

  async function renew(): Promise<void> {
    requireOne(
      await sql`
      update jobs set due_at = now() + make_interval(secs => ${seconds})
      where id = ${id} and owner = ${owner} returning id`,
    )
  }

  // A worker that was killed falls silent. Where the database does not answer, nobody else gets the job either.
  const renewal = setInterval(() => renew().catch(() => {}), (seconds * 1000) / 3).unref()

  /** Lets go of it. What was asked for meanwhile is taken up by the next run, which begins with all its tries. */
  async function release(outcome: { failed: boolean; error?: string }): Promise<void> {
    requireOne(
      await sql`
      update jobs set owner = null, due_at = now(),
        failed_at = case when ${outcome.failed} and successor_at is null then now() end,
        attempts = case when successor_at is null then attempts else 0 end,
        enqueued_at = coalesce(successor_at, enqueued_at), successor_at = null,
        last_error = ${outcome.error ?? null}
      where id = ${id} and owner = ${owner} returning id`,
    )
  }

  return {
    payload,
    attempts,
    traceparent,
    lost: controller.signal,
    renew,
    async progressed() {
      requireOne(await sql`update jobs set attempts = 1 where id = ${id} and owner = ${owner} returning id`)
    },
    async putBack() {
      requireOne(
        await sql`
        update jobs set owner = null, due_at = now(), attempts = attempts - 1
        where id = ${id} and owner = ${owner} returning id`,
      )
    },
    async retryIn(pause, error) {
      requireOne(
        await sql`
        update jobs set owner = null, due_at = now() + make_interval(secs => ${pause}), last_error = ${textOf(error)}
        where id = ${id} and owner = ${owner} returning id`,
      )
    },
    fail: (error) => release({ failed: true, error: textOf(error) }),
    async finish() {
      const deleted = await sql`
        delete from jobs where id = ${id} and owner = ${owner} and successor_at is null returning id`
      if (deleted.length === 0) await release({ failed: false })
    },
    end: () => clearInterval(renewal),
  }
}

/** What the database can hold of an error. */
function textOf(error: Error): string {
  return String(error?.message ?? error)
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, ' ')
    .toWellFormed()
    .slice(0, LONGEST_ERROR)
}

import type { Sql } from '../postgres/client.ts'
import type { Handler } from './port.ts'

interface RunningJob {
  id: number
  owner: string
  payload: never
}

interface HelpOptions {
  pollSeconds: number
  /** Aborted when this worker stops. */
  stopping: AbortSignal
}

/**
 * Helps whoever holds a job of the queue, until that job is done, there is a job for this worker itself, or it stops. What
 * goes wrong is its holder's to report, who meets it as well.
 */
export async function helpAnother(
  sql: Sql,
  queue: string,
  handler: Handler<never>,
  { pollSeconds, stopping }: HelpOptions,
): Promise<void> {
  const [job] = await sql<RunningJob[]>`
    select id, owner, payload from jobs
    where queue = ${queue} and owner is not null and due_at > now() order by random() limit 1`
  if (!job) return
  const enough = new AbortController()
  const looking = setInterval(async () => {
    if (!(await goesOn(sql, queue, job).catch(() => true))) enough.abort()
  }, pollSeconds * 1000)
  const signal = AbortSignal.any([enough.signal, stopping])
  try {
    await handler.help!(job.payload, signal)
  } catch {
    // Said above.
  } finally {
    clearInterval(looking)
  }
}

/** Whether the job is still its holder's, and no other waits for a worker. */
async function goesOn(sql: Sql, queue: string, { id, owner }: RunningJob): Promise<boolean> {
  const [row] = await sql<{ held: boolean; waits: boolean }[]>`
    select exists (select from jobs where id = ${id} and owner = ${owner}) as held,
      exists (select from jobs where queue = ${queue} and failed_at is null and due_at <= now()) as waits`
  return row!.held && !row!.waits
}

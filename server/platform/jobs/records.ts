import type { Queryable, Sql } from '../postgres/client.ts'
import type { JobChoice, JobRecord, JobRecords, Queue, QueueCounts } from './port.ts'

/** Jobs as they stand in PostgreSQL, whoever works on them. */
export function jobRecords(sql: Sql, queues: readonly Queue[] = []): JobRecords {
  return {
    list: async ({ queue, state }) => sql<JobRecord[]>`
      select * from (select ${columns(sql)} from jobs) job
      where ${queue ? sql`queue = ${queue}` : sql`true`} and ${state ? sql`state = ${state}` : sql`true`}
      order by enqueued_at, id`,

    retry: async (choice) => sql<JobRecord[]>`
      update jobs set failed_at = null, attempts = 0, due_at = now(), owner = null
      where ${chosen(sql, choice)} and (owner is null or due_at <= now())
      returning ${columns(sql)}`,

    drop: async (choice) => sql<JobRecord[]>`
      delete from jobs where ${chosen(sql, choice)} returning ${columns(sql)}`,

    async count() {
      const found = await sql<QueueCounts[]>`
        select queue, count(*) filter (where state = 'waiting') as waiting,
          count(*) filter (where state = 'running') as running,
          count(*) filter (where state = 'failed') as failed,
          coalesce(extract(epoch from now() - min(enqueued_at) filter (where state = 'waiting')), 0)::float8
            as "oldestWaitingSeconds"
        from (select ${columns(sql)} from jobs) job group by queue`
      const idle = queues.filter(({ name }) => !found.some(({ queue }) => queue === name))
      const zeros = { waiting: 0, running: 0, failed: 0, oldestWaitingSeconds: 0 }
      return [...found, ...idle.map(({ name }) => ({ queue: name, ...zeros }))]
    },

    async forgetFailed(olderThanSeconds) {
      const forgotten = await sql`
        delete from jobs where failed_at < now() - make_interval(secs => ${olderThanSeconds}) returning id`
      return forgotten.length
    },
  }
}

const columns = (sql: Queryable) => sql`
  id, queue, key,
  case when failed_at is not null then 'failed' when owner is not null and due_at > now() then 'running' else 'waiting' end as state,
  attempts, enqueued_at, due_at, failed_at, last_error`

const chosen = (sql: Queryable, choice: JobChoice) =>
  'id' in choice ? sql`id = ${choice.id}` : sql`queue = ${choice.failedOf} and failed_at is not null`

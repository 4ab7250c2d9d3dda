import type { Transaction } from '../postgres/client.ts'

/** Jobs of one kind. Every queue is declared once, beside its handler, and named to whoever opens the jobs. */
export interface Queue<Payload extends object = object> {
  readonly name: string
  /** Never there: it ties what is enqueued to what the handler takes. */
  readonly carries?: Payload
}

export function defineQueue<Payload extends object>(name: string): Queue<Payload> {
  return { name }
}

export interface Job<Payload = unknown> {
  payload: Payload
  /** 1 for the first try; counts tries that a killed worker never finished. */
  attempt: number
  /** Aborted with LeaseLost once this worker no longer holds the job: whatever it does from then on is in vain. */
  signal: AbortSignal
  /** Says that some of it is done for good: earlier tries that came to nothing no longer count. Rejects with LeaseLost. */
  progressed(): Promise<void>
}

export interface Handler<Payload = unknown> {
  /** May be called again for what it did before: a worker that is killed after its work cannot say so. */
  run(job: Job<Payload>): Promise<void>
  /** Called once a job has failed for the last time, before it counts as failed. */
  giveUp(payload: Payload, error: Error): Promise<void>
  /**
   * Called on a worker that has nothing else to do, for a job that another holds: takes a share of its work, if there is any
   * left, until the signal is aborted. Whether the job is done, and what becomes of it, is its holder's business.
   */
  help?(payload: Payload, signal: AbortSignal): Promise<void>
  attempts: number
  /** How many of them this process works on at once. */
  concurrency: number
}

export interface Assignment {
  queue: Queue
  handler: Handler<never>
}

export function handle<Payload extends object>(queue: Queue<Payload>, handler: Handler<Payload>): Assignment {
  return { queue, handler: handler as Handler<never> }
}

/** Work to be done later, by whichever worker is free. One worker at a time holds a job, by a lease that it renews. */
export interface JobQueue {
  /**
   * Becomes visible when the transaction commits. Of the same key there is one job: asked for again while it
   * waits, it runs once, with the newest payload; while it runs, it runs once more afterwards. Throws where the
   * queue was not declared.
   */
  enqueue<Payload extends object>(
    tx: Transaction,
    queue: Queue<Payload>,
    key: string,
    payload: Payload,
  ): Promise<void>
  /** Starts working. Throws unless every declared queue has one handler, and no other has any. */
  work(assignments: Assignment[]): void
  /** Finishes what is under way, begins nothing new. */
  close(): Promise<void>
}

export const JOB_STATES = ['waiting', 'running', 'failed'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface JobRecord {
  id: number
  queue: string
  key: string
  state: JobState
  attempts: number
  enqueued_at: string
  /** When a waiting job may be taken; for one that runs, when its lease ends unless it is renewed. */
  due_at: string
  failed_at: string | null
  last_error: string | null
}

export interface QueueCounts {
  queue: string
  waiting: number
  running: number
  failed: number
  /** Since the one that waits longest was asked for; 0 where none waits. */
  oldestWaitingSeconds: number
}

/** One job by its id, or all failed jobs of a queue. */
export type JobChoice = { id: number } | { failedOf: string }

/** Jobs as the person who runs the service sees them. */
export interface JobRecords {
  list(filter: { queue?: string; state?: JobState }): Promise<JobRecord[]>
  /** Has them taken at once, with all their tries before them; those that run are left alone. Answers which. */
  retry(choice: JobChoice): Promise<JobRecord[]>
  /** Forgets them; a worker that holds one loses its lease. Answers which. */
  drop(choice: JobChoice): Promise<JobRecord[]>
  /** Every declared queue, and every other that has jobs. */
  count(): Promise<QueueCounts[]>
  /** Forgets what has failed so long ago; answers how many. */
  forgetFailed(olderThanSeconds: number): Promise<number>
}

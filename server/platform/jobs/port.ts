import type { Transaction } from '../postgres/client.ts'

export interface Job<Payload = unknown> {
  payload: Payload
  /** 1 for the first try; counts tries that a killed worker never finished. */
  attempt: number
  /** Says that some of it is done for good: earlier tries that came to nothing no longer count. */
  progressed(): Promise<void>
}

export interface Handler<Payload = unknown> {
  run(job: Job<Payload>): Promise<void>
  /** Called once a job has failed for the last time. */
  giveUp(payload: Payload, error: Error): Promise<void>
  attempts: number
  /** How many of them this process works on at once. */
  concurrency: number
}

/** Work to be done later, by whichever worker is free. */
export interface JobQueue {
  /** Becomes visible when the transaction commits; a second one of the same key is the same job. */
  enqueue(tx: Transaction, queue: string, key: string, payload: object): Promise<void>
  /** Starts working. Every queue that is ever used has one handler. */
  work(handlers: Record<string, Handler<never>>): void
  /** Finishes what is under way, begins nothing new. */
  close(): Promise<void>
}

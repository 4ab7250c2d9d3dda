import { type FairWaiter, fairQueue } from './fair-queue.ts'

/** Runs `work` when it is its tenant's turn. */
export type FairSemaphore = <T>(tenant: string, work: () => Promise<T>) => Promise<T>

interface Turn extends FairWaiter {
  begin(release: () => void): void
}

/** A semaphore of so many slots that tenants share as they do a fair queue. */
export function fairSemaphore(slots: number): FairSemaphore {
  const queue = fairQueue<Turn>(slots)
  let tickets = 0

  function advance(): void {
    for (let next = queue.take(); next; next = queue.take()) next.job.begin(next.release)
  }

  return async (tenant, work) => {
    const release = await new Promise<() => void>((begin) => {
      queue.push({ tenant, priority: 'interactive', ticket: ++tickets, begin })
      advance()
    })
    try {
      return await work()
    } finally {
      release()
      advance()
    }
  }
}

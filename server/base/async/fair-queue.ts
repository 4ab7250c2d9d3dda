/** Interactive jobs go first: somebody is waiting for the answer. */
export type Priority = 'interactive' | 'background'

export interface FairWaiter {
  tenant: string
  priority: Priority
  /** Its place in the order of asking: a tenant's own jobs are served by it. */
  ticket: number
}

/**
 * A queue for each tenant in front of a few slots. The next job is that of the tenant that occupies the fewest;
 * among equals it goes round robin. One slot more than there are is for a tenant that occupies none: whoever
 * fills all of them can make others wait for processor time, but not for the end of its own jobs. Background jobs
 * are served when no interactive one waits, and leave that slot alone.
 */
export interface FairQueue<Job extends FairWaiter> {
  push(job: Job): void
  /** The next job that may start now; it occupies a slot until `release`. */
  take(): { job: Job; release(): void } | undefined
  /** Takes out all that still wait. */
  clear(): Job[]
}

export function fairQueue<Job extends FairWaiter>(slots: number): FairQueue<Job> {
  // In the order in which tenants are to be served.
  const waiting: Record<Priority, Map<string, Job[]>> = { interactive: new Map(), background: new Map() }
  const occupied = new Map<string, number>()
  let total = 0

  function push(job: Job): void {
    const queues = waiting[job.priority]
    const queue = queues.get(job.tenant) ?? []
    const after = queue.findLastIndex(({ ticket }) => ticket < job.ticket)
    queue.splice(after + 1, 0, job)
    queues.set(job.tenant, queue)
  }

  function next(priority: Priority): string | undefined {
    let found: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const tenant of waiting[priority].keys()) {
      const count = occupied.get(tenant) ?? 0
      if (count >= fewest) continue
      found = tenant
      fewest = count
    }
    const isOpen = total < slots || (total === slots && priority === 'interactive' && fewest === 0)
    return isOpen ? found : undefined
  }

  function start(tenant: string, priority: Priority) {
    const queues = waiting[priority]
    const [job, ...rest] = queues.get(tenant)!
    queues.delete(tenant)
    // Behind everybody else who waits.
    if (rest.length > 0) queues.set(tenant, rest)
    occupy(tenant, 1)
    return { job: job!, release: () => occupy(tenant, -1) }
  }

  function occupy(tenant: string, change: number): void {
    total += change
    const count = (occupied.get(tenant) ?? 0) + change
    if (count > 0) occupied.set(tenant, count)
    else occupied.delete(tenant)
  }

  return {
    push,
    take() {
      for (const priority of ['interactive', 'background'] as const) {
        // A background job must not take the place that an interactive one may not have yet.
        if (waiting[priority].size === 0) continue
        const tenant = next(priority)
        return tenant === undefined ? undefined : start(tenant, priority)
      }
      return undefined
    },
    clear() {
      const left = Object.values(waiting).flatMap((queues) => [...queues.values()].flat())
      for (const queues of Object.values(waiting)) queues.clear()
      return left
    },
  }
}

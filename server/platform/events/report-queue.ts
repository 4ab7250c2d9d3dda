import { EventsUnavailable } from './errors.ts'

/** What a report costs, roughly: `size` orders those of an organization, and large ones leave room for small ones. */
export interface ReportCost {
  organization: string
  size: number
  isLarge: boolean
}

export interface ReportQueueOptions {
  /** Reports that run at once. */
  atOnce: number
  /** Reports of one organization that may wait. */
  waitingEach: number
}

interface WaitingReport extends ReportCost {
  start(): void
}

/**
 * Shares an engine between tenants: a queue for each organization, which take turns, and in each the small reports
 * first. One place is kept from large reports, and one from every organization alone, so that whatever one tenant
 * asks for, another's small report finds a place at once, and a large one does after one that runs now.
 */
export function reportQueue({ atOnce, waitingEach }: ReportQueueOptions) {
  /** In the order of their turns: whoever has had one goes to the end. Who has fewer running goes before that. */
  const queues = new Map<string, WaitingReport[]>()
  const running: ReportCost[] = []

  const runningOf = (organization: string) =>
    running.filter((one) => one.organization === organization).length

  function mayRun({ organization, isLarge }: ReportCost): boolean {
    const most = Math.max(1, atOnce - 1)
    if (running.length >= atOnce) return false
    if (runningOf(organization) >= most) return false
    return !isLarge || running.filter((one) => one.isLarge).length < most
  }

  function startNext(): void {
    const turns = [...queues].sort(([a], [b]) => runningOf(a) - runningOf(b))
    for (const [organization, queue] of turns) {
      const at = queue.findIndex(mayRun)
      if (at < 0) continue
      const [next] = queue.splice(at, 1) as [WaitingReport]
      queues.delete(organization)
      if (queue.length > 0) queues.set(organization, queue)
      running.push(next)
      next.start()
      // Turns have changed.
      startNext()
      return
    }
  }

  /** Resolves once there is a place; rejects with the signal's reason where that comes first. */
  function place(cost: ReportCost, signal: AbortSignal): Promise<ReportCost> {
    const { organization } = cost
    const queue = queues.get(organization) ?? []
    if (queue.length >= waitingEach)
      return Promise.reject(new EventsUnavailable('too many reports of this organization are waiting'))
    return new Promise((resolve, reject) => {
      const waiting: WaitingReport = {
        ...cost,
        start() {
          signal.removeEventListener('abort', leave)
          resolve(waiting)
        },
      }
      const leave = () => {
        const left = queues.get(organization)?.filter((one) => one !== waiting) ?? []
        if (left.length > 0) queues.set(organization, left)
        else queues.delete(organization)
        reject(signal.reason)
      }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', leave)
      const after = queue.findIndex((one) => one.size > cost.size)
      queue.splice(after < 0 ? queue.length : after, 0, waiting)
      queues.set(organization, queue)
      startNext()
    })
  }

  return {
    /** Runs it in its turn. Its place is free again when the work has ended, not when somebody stops waiting for it. */
    async run<T>(cost: ReportCost, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const taken = await place(cost, signal)
      try {
        return await work()
      } finally {
        running.splice(running.indexOf(taken), 1)
        startNext()
      }
    },
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    running: () => running.length,
  }
}

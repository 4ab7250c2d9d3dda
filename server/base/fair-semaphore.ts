/** Runs `work` when it is its tenant's turn. */
export type FairSemaphore = <T>(tenant: string, work: () => Promise<T>) => Promise<T>

/**
 * A semaphore that is shared fairly between tenants: `places` run at a time, of one tenant at most `ofOne`, and
 * a free place goes to the tenant who has the fewest, of several the one who was served longest ago. However
 * many a tenant sends at once, another waits for one of them at the most.
 */
export function fairSemaphore(places: number, ofOne: number): FairSemaphore {
  const tenants = new Map<string, { waiting: (() => void)[]; running: number; servedAt: number }>()
  let running = 0
  let served = 0

  function next(): void {
    if (running >= places) return
    const [tenant] = [...tenants.values()]
      .filter((one) => one.waiting.length > 0 && one.running < ofOne)
      .sort((a, b) => a.running - b.running || a.servedAt - b.servedAt)
    if (!tenant) return
    tenant.servedAt = ++served
    tenant.running++
    running++
    tenant.waiting.shift()!()
  }

  return async (name, work) => {
    const tenant = tenants.get(name) ?? { waiting: [], running: 0, servedAt: 0 }
    tenants.set(name, tenant)
    await new Promise<void>((resolve) => {
      tenant.waiting.push(resolve)
      next()
    })
    try {
      return await work()
    } finally {
      running--
      tenant.running--
      if (tenant.running === 0 && tenant.waiting.length === 0) tenants.delete(name)
      next()
    }
  }
}

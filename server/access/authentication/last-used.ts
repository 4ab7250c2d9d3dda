import type { Sql } from '../../platform/postgres/client.ts'
import { touchKeys } from './store.ts'

const FLUSH_EVERY_MS = 5000

export interface LastUsed {
  note(keyId: string): void
  close(): Promise<void>
}

/** Remembers which keys were used and writes it down now and then: no request waits for it. */
export function lastUsed(sql: Sql, onError: (error: unknown) => void): LastUsed {
  let used = new Set<string>()

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const keyIds = [...used]
    used = new Set()
    await touchKeys(sql, keyIds).catch(onError)
  }

  const timer = setInterval(flush, FLUSH_EVERY_MS)
  timer.unref()
  return {
    note: (keyId) => used.add(keyId),
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

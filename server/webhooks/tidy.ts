import type { Sql } from '../platform/postgres/client.ts'
import { forgetMessages, longFailing } from './dispatch-store.ts'
import { disable } from './store.ts'

export interface TidyOptions {
  /** An endpoint that has taken nothing for so long is switched off. */
  offAfterSeconds: number
  keepSeconds: number
}

export async function tidyWebhooks(sql: Sql, { offAfterSeconds, keepSeconds }: TidyOptions): Promise<void> {
  for (const { id, failing_since, status, error } of await longFailing(sql, offAfterSeconds)) {
    const last = error ?? (status ? `it answered ${status}` : 'it failed')
    const reason = `it has taken nothing since ${failing_since}; last: ${last}`
    await sql.begin((tx) => disable(tx, id, reason))
  }
  await forgetMessages(sql, keepSeconds)
}

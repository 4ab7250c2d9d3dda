import type { Sql } from '../platform/postgres/client.ts'
import type { PlanTerms } from './show-plans.ts'
import { forgetSamples, hasSamplesOfToday, insertSamples } from './usage-store.ts'

const KEPT_DAYS = 800

/**
 * Writes down once a day what each project uses. Asked for with every sweep: the first of a day does it, and of several
 * processes at once each sample is kept once.
 */
export async function sampleUsage({
  sql,
  storageLimits,
}: Pick<PlanTerms, 'storageLimits'> & { sql: Sql }): Promise<void> {
  if (await hasSamplesOfToday(sql)) return
  await insertSamples(sql, storageLimits)
  await forgetSamples(sql, KEPT_DAYS)
}

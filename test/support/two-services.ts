import { onTestFinished } from 'vitest'
import { startPostgres } from './postgres.ts'
import { discard, emptyDataDir, startService } from './service.ts'

/** Two processes on one PostgreSQL, each with a data folder of its own. */
export async function startTwoServices(settings: Record<string, string> = {}) {
  const postgres = await startPostgres()
  const env = { MARQUEE_DATABASE_URL: postgres.url, ...settings }
  const one = await startService({ dataDir: emptyDataDir(), env })
  const two = await startService({ dataDir: emptyDataDir(), env })
  onTestFinished(async () => {
    await Promise.all([one.stop(), two.stop()])
    await postgres.stop()
    discard(one.dataDir)
    discard(two.dataDir)
  })
  return { one, two, env }
}

import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Engine } from '../../http/health.ts'
import { createImagePool } from '../../media/images/pool.ts'
import { detectSandbox } from '../../media/sandbox.ts'
import { jobMetrics } from '../../platform/jobs/metrics.ts'
import type { Queue } from '../../platform/jobs/port.ts'
import { postgresJobs } from '../../platform/jobs/postgres.ts'
import { jobRecords } from '../../platform/jobs/records.ts'
import type { Clock } from '../../platform/limits/port.ts'
import { holdDeleted } from '../../platform/objects/hold-deleted.ts'
import { EVERYWHERE, httpOutbound } from '../../platform/outbound/http.ts'
import { lookupBy } from '../../platform/outbound/lookup.ts'
import { backupHold } from '../../platform/postgres/backup-lock.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import type { Report } from '../report.ts'
import type { Slice } from '../slice.ts'
import { openDns } from './dns.ts'
import { type Events, openEvents } from './events.ts'
import { openLimiter } from './limiter.ts'
import { openMailer } from './mail.ts'
import { openObjects } from './objects.ts'

export type Engines = Awaited<ReturnType<typeof openEngines>>

interface EngineDeps {
  sql: Sql
  /** A test's own. */
  clock?: Clock
  report: Report
  /** Every kind of work that is done in the background. */
  queues: readonly Queue[]
}

/** What all slices stand on, as the configuration chooses it. */
export async function openEngines(config: Config, { sql, clock, report, queues }: EngineDeps) {
  const limiter = await openLimiter(config, clock)
  const mailer = await openMailer(config)
  const backups = backupHold(sql)
  const objects = holdDeleted(await openObjects(config, report.trouble), backups)
  const events = await openEvents(config, { sql, onTrouble: report.trouble })
  const jobs = postgresJobs(sql, {
    queues,
    onError: (error, queue) => report.error(error, 'job failed', { queue }),
  })
  const records = jobRecords(sql, queues)
  const sandbox = detectSandbox()
  const resolve = lookupBy(config.dnsServers)
  const outbound = httpOutbound({ allowedNetworks: config.outboundNetworks, resolve })
  const pool = createImagePool({ sandbox })
  return {
    sql,
    clock: clock ?? Date.now,
    limiter,
    mailer,
    dns: openDns(config),
    webhookOutbound: httpOutbound({
      allowedNetworks: config.webhooksAllowPrivate === 'true' ? EVERYWHERE : config.outboundNetworks,
      resolve,
    }),
    outbound,
    objects,
    backups,
    events: events.log,
    jobs,
    jobRecords: records,
    pool,
    tools: {
      ffmpeg: config.ffmpeg,
      ffprobe: config.ffprobe,
      sandbox,
      silenceSeconds: config.mediaSilenceSeconds,
    },
    workDir: emptyFolder(path.join(config.dataDir, 'work')),
    /** What they bring to the service themselves, below all slices. */
    foundation: {
      metrics: [...events.metrics, ...jobMetrics(records)],
      checks: checksOf(config, { sql, objects, events, limiter }),
      async close() {
        await pool.close()
        await jobs.close()
        outbound.close()
        await events.close()
        await objects.close()
        await limiter.close()
      },
    } satisfies Slice,
  }
}

interface Checked {
  sql: Sql
  objects: Pick<Engine, 'check'>
  events: Pick<Events, 'check'>
  limiter: Pick<Engine, 'check'>
}

/** What a process needs for its roles: events are read and written by the API alone. */
function checksOf(config: Config, { sql, objects, events, limiter }: Checked): Engine[] {
  const askPostgres = async () => {
    await sql`select 1`
  }
  return [
    { name: 'postgres', check: askPostgres },
    { name: 'objects', check: () => objects.check() },
    ...(config.roles.includes('api') ? [{ name: 'events', check: () => events.check() }] : []),
    ...(config.redisUrl ? [{ name: 'redis', check: () => limiter.check() }] : []),
  ]
}

function emptyFolder(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

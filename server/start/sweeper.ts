import { forgetAudit, purgeProjects } from '../access/index.ts'
import { enqueueErasure } from '../analytics/index.ts'
import { type Repeated, repeat } from '../base/async/repeat.ts'
import { endPlans, sampleUsage } from '../billing/index.ts'
import type { Config } from '../config/config.ts'
import { storageLimitsOf } from '../config/plans.ts'
import { purgeFeeds } from '../feeds/index.ts'
import { forgetHeld } from '../platform/objects/hold-deleted.ts'
import { gatherCounts, purgeFiles, sweep } from '../uploads/index.ts'
import { tidyWebhooks } from '../webhooks/index.ts'
import type { Engines } from './engines/engines.ts'
import type { Report } from './report.ts'

/** Ends what is due again and again: records first, so that the objects they leave behind go in the same round. */
export function startSweeper(
  config: Config,
  {
    sql,
    objects,
    backups,
    jobs,
    jobRecords,
  }: Pick<Engines, 'sql' | 'objects' | 'backups' | 'jobs' | 'jobRecords'>,
  report: Report,
): Repeated {
  const storageLimits = storageLimitsOf(config)
  const due = { seconds: config.trashLifetimeSeconds }
  return repeat(
    config.sweepIntervalSeconds,
    async () => {
      await endPlans({ sql, graceSeconds: config.billingGraceSeconds })
      await sampleUsage({ sql, storageLimits })
      await purgeProjects({ sql, onPurge: (tx, project) => enqueueErasure(jobs, tx, project) }, due)
      await purgeFeeds({ sql, jobs }, due)
      await purgeFiles(sql, due)
      await gatherCounts(sql)
      await sweep({ sql, objects }, { brokenPutsKeepSeconds: config.brokenPutsKeepSeconds })
      await forgetHeld(objects, backups)
      await tidyWebhooks(sql, {
        offAfterSeconds: config.webhookOffAfterSeconds,
        keepSeconds: config.webhookKeepSeconds,
      })
      await forgetAudit(sql, config.auditKeepSeconds)
      await jobRecords.forgetFailed(config.failedJobsKeepSeconds)
    },
    (error) => report.error(error, 'sweep failed'),
  )
}

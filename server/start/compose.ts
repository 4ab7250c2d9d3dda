import { findOrganizationOfProject, type TokenIssuer } from '../access/index.ts'
import { OPERATOR } from '../base/caller.ts'
import type { Config } from '../config/config.ts'
import { quotasOf } from '../config/plans.ts'
import { type BuiltApp, buildApp } from '../http/app.ts'
import { EventsUnavailable } from '../platform/events/errors.ts'
import type { Clock } from '../platform/limits/port.ts'
import { StorageUnavailable } from '../platform/objects/errors.ts'
import { isOutage, type Sql, statusOfRefusal } from '../platform/postgres/client.ts'
import type { Addresses } from './addresses.ts'
import { authenticatorOf } from './authenticator.ts'
import { openEngines } from './engines/engines.ts'
import { reportTo } from './report.ts'
import type { Slice } from './slice.ts'
import { openSlices, QUEUES } from './slices.ts'
import { startSweeper } from './sweeper.ts'
import { telemetryOf } from './telemetry.ts'
import { readVersion } from './version.ts'

export interface Service extends BuiltApp {
  issuer: TokenIssuer
  /** From now on the service says that it is not ready. */
  startDraining(): void
  close(): Promise<void>
}

/** Puts the parts together: engines, the slices on them, and the app around those. */
export async function composeService(
  config: Config,
  { sql, addresses, clock }: { sql: Sql; addresses: Addresses; clock?: Clock },
): Promise<Service> {
  let draining = false
  const report = reportTo(() => built.app.log)
  const telemetry = await telemetryOf(config, { version: readVersion(), onTrouble: report.trouble })
  const engines = await openEngines(config, { sql, clock, report, queues: QUEUES })
  const { slices, access } = await openSlices(config, { engines, addresses, report })
  const parts: Slice[] = [...(telemetry ? [telemetry] : []), engines.foundation, ...slices]

  const built: BuiltApp = await buildApp({
    version: readVersion(),
    addresses,
    logLevel: config.logLevel,
    bodyLimitBytes: config.bodyLimitBytes,
    bodyTimeoutSeconds: config.requestTimeoutSeconds,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigins,
    secure: addresses.base.startsWith('https:'),
    metricsToken: config.metricsToken,
    authenticator: authenticatorOf(config, { sql, ...access }),
    limiter: engines.limiter,
    quotas: quotasOf(config),
    onFailed: access.noteFailed,
    isTraced: telemetry !== undefined,
    engineErrors: { isOutage: isAnyOutage, statusOfRefusal },
    organizationOfProject: (projectId) => findOrganizationOfProject(OPERATOR, projectId, sql),
    isDraining: () => draining,
    isApi: config.roles.includes('api'),
    counted: parts.flatMap(({ metrics = [] }) => metrics),
    engines: parts.flatMap(({ checks = [] }) => checks),
    rooms: parts.flatMap(({ routes = [] }) => routes),
  })
  telemetry?.sendMetrics(built.metrics.families)
  const { sandbox } = engines.tools
  if (sandbox.warning) built.app.log.warn(sandbox.warning)

  const isWorker = config.roles.includes('worker')
  if (isWorker) engines.jobs.work(parts.flatMap(({ jobs = [] }) => jobs))
  if (isWorker) for (const part of parts) part.work?.()
  const sweeper = isWorker ? startSweeper(config, engines, report) : undefined

  return {
    ...built,
    issuer: access.issuer,
    startDraining() {
      draining = true
    },
    async close() {
      await sweeper?.stop()
      // Takes no new jobs from here on. Those under way end when the slices break off what they wait for.
      void engines.jobs.close()
      for (const part of parts.toReversed()) await part.close?.()
      await built.app.close()
    },
  }
}

function isAnyOutage(error: unknown): boolean {
  return isOutage(error) || error instanceof StorageUnavailable || error instanceof EventsUnavailable
}

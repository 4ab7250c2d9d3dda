import type { Config } from '../config/config.ts'
import type { Telemetry } from '../platform/telemetry/open-telemetry.ts'

interface TelemetryDeps {
  version: string
  onTrouble(message: string): void
}

/** Undefined where no collector is named: then nothing listens, and nothing of it is loaded. */
export async function telemetryOf(
  config: Config,
  { version, onTrouble }: TelemetryDeps,
): Promise<Telemetry | undefined> {
  if (!config.otlpEndpoint) return undefined
  const { openTelemetry } = await import('../platform/telemetry/open-telemetry.ts')
  return openTelemetry({
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    timeoutMs: config.otlpTimeoutMs,
    ratio: config.tracesRatio,
    byParent: config.tracesSampler === 'parentbased_traceidratio',
    serviceName: config.serviceName,
    version,
    resource: config.resourceAttributes,
    spansEveryMs: config.spansEveryMs,
    mostSpans: config.mostSpans,
    metricsEveryMs: config.metricsEveryMs,
    onTrouble,
  })
}

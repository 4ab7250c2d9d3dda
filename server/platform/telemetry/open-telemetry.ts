import { randomUUID } from 'node:crypto'
import os from 'node:os'
import { type Repeated, repeat } from '../../base/async/repeat.ts'
import type { MetricFamily } from '../../base/metric-family.ts'
import { metricsAsOtlp, type Resource, spansAsOtlp } from './otlp.ts'
import { otlpSender } from './sender.ts'
import { spanQueue } from './span-queue.ts'
import { collectSpans } from './spans.ts'

export interface TelemetryOptions {
  endpoint: string
  headers: readonly (readonly [string, string])[]
  timeoutMs: number
  /** Share of traces that are kept, 0 to 1. */
  ratio: number
  byParent: boolean
  serviceName: string
  version: string
  resource: readonly (readonly [string, string])[]
  spansEveryMs: number
  mostSpans: number
  metricsEveryMs: number
  onTrouble(message: string): void
}

export interface Telemetry {
  metrics: { as: 'counter'; name: string; help: string; count: () => number }[]
  /** Begins to send what this answers each time that it is asked. */
  sendMetrics(read: () => Promise<MetricFamily[]>): void
  /** Sends what is left. */
  close(): Promise<void>
}

/** The last batch is not worth more of a stop's time. */
const LAST_SEND_MS = 2000

/** Traces and metrics for a collector of OpenTelemetry. */
export function openTelemetry(options: TelemetryOptions): Telemetry {
  const send = otlpSender(options)
  const resource = resourceOf(options)
  const startedAt = BigInt(Date.now()) * 1_000_000n
  const queue = spanQueue({
    send: (spans, signal) => send('/v1/traces', spansAsOtlp(spans, resource), signal),
    everyMs: options.spansEveryMs,
    most: options.mostSpans,
  })
  const stop = collectSpans({
    ratio: options.ratio,
    byParent: options.byParent,
    onSpan: queue.add,
    onDropped: queue.drop,
  })
  let repeated: Repeated | undefined
  let read: (() => Promise<MetricFamily[]>) | undefined

  async function sendMetrics(signal?: AbortSignal): Promise<void> {
    if (!read) return
    const at = BigInt(Date.now()) * 1_000_000n
    const families = await read()
    await send('/v1/metrics', metricsAsOtlp(families, { resource, startedAt, at }), signal)
  }

  async function lastMetrics(signal: AbortSignal): Promise<void> {
    await repeated?.stop()
    await sendMetrics(signal).catch(() => {})
  }

  return {
    metrics: [
      {
        as: 'counter',
        name: 'marquee_spans_sent_total',
        help: 'Spans of traces that the collector has taken',
        count: queue.sent,
      },
      {
        as: 'counter',
        name: 'marquee_spans_dropped_total',
        help: 'Spans of traces that were given up: the collector was away, slow, or refused them',
        count: queue.dropped,
      },
    ],
    sendMetrics(how) {
      read = how
      repeated = repeat(
        options.metricsEveryMs / 1000,
        () => sendMetrics(),
        () => {},
      )
    },
    async close() {
      stop()
      const end = new AbortController()
      const late = setTimeout(() => end.abort(), LAST_SEND_MS)
      // What is counted elsewhere may be asked of an engine that does not answer.
      const aborted = new Promise((resolve) => end.signal.addEventListener('abort', resolve))
      await Promise.race([Promise.all([queue.close(end.signal), lastMetrics(end.signal)]), aborted])
      clearTimeout(late)
    },
  }
}

function resourceOf({ serviceName, version, resource }: TelemetryOptions): Resource {
  return {
    version,
    attributes: {
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': os.hostname(),
      'process.pid': process.pid,
      ...Object.fromEntries(resource),
    },
  }
}

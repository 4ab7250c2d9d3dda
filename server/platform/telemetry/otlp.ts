import type { MetricFamily } from '../../base/metric-family.ts'
import type { SpanAttribute } from '../../base/tracing.ts'

// OTLP as JSON (opentelemetry-proto 1.x): ids in hexadecimal, 64-bit numbers as text, enumerations as numbers.

export interface FinishedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: keyof typeof KINDS
  /** Nanoseconds since 1970. */
  startedAt: bigint
  endedAt: bigint
  attributes: Record<string, SpanAttribute>
  link?: { traceId: string; spanId: string }
  failed: boolean
}

export interface Resource {
  attributes: Record<string, SpanAttribute>
  version: string
}

const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 }
const FAILED = 2
const CUMULATIVE = 2
const LONGEST_TEXT = 2048

export function spansAsOtlp(spans: readonly FinishedSpan[], resource: Resource): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource.attributes) },
        scopeSpans: [{ scope: scopeOf(resource), spans: spans.map(spanOf) }],
      },
    ],
  })
}

function spanOf({ traceId, spanId, parentSpanId, name, kind, link, ...span }: FinishedSpan) {
  return {
    traceId,
    spanId,
    ...(parentSpanId && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: String(span.startedAt),
    endTimeUnixNano: String(span.endedAt),
    attributes: attributesOf(span.attributes),
    ...(link && { links: [link] }),
    status: span.failed ? { code: FAILED } : {},
  }
}

/** All figures of a registry, counted since `startedAt`. */
export function metricsAsOtlp(
  families: readonly MetricFamily[],
  { resource, startedAt, at }: { resource: Resource; startedAt: bigint; at: bigint },
): string {
  const times = { startTimeUnixNano: String(startedAt), timeUnixNano: String(at) }
  return JSON.stringify({
    resourceMetrics: [
      {
        resource: { attributes: attributesOf(resource.attributes) },
        scopeMetrics: [
          { scope: scopeOf(resource), metrics: families.map((family) => metricOf(family, times)) },
        ],
      },
    ],
  })
}

interface Times {
  startTimeUnixNano: string
  timeUnixNano: string
}

function metricOf({ name, help, type, values }: MetricFamily, times: Times) {
  const about = { name, description: help }
  if (type === 'histogram')
    return {
      ...about,
      histogram: { dataPoints: histogramPoints(values, times), aggregationTemporality: CUMULATIVE },
    }
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => ({ ...times, attributes: attributesOf(labels), asDouble: value }))
  return type === 'counter'
    ? { ...about, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }
    : { ...about, gauge: { dataPoints } }
}

/** Prometheus counts up to each bound; OTLP between one bound and the next. */
function histogramPoints(values: MetricFamily['values'], times: Times) {
  const series = new Map<string, { labels: object; upTo: [bound: number, count: number][]; sum: number }>()
  for (const { labels, value, metricName = '' } of values) {
    const { le, ...others } = labels
    const key = JSON.stringify(others)
    const one = series.get(key) ?? { labels: others, upTo: [], sum: 0 }
    series.set(key, one)
    if (metricName.endsWith('_sum')) one.sum = value
    else if (metricName.endsWith('_bucket')) one.upTo.push([le === '+Inf' ? Infinity : Number(le), value])
  }
  return [...series.values()].map(({ labels, upTo, sum }) => {
    upTo.sort(([a], [b]) => a - b)
    return {
      ...times,
      attributes: attributesOf(labels as Record<string, SpanAttribute>),
      count: String(upTo.at(-1)?.[1] ?? 0),
      sum,
      bucketCounts: upTo.map(([, count], i) => String(count - (upTo[i - 1]?.[1] ?? 0))),
      explicitBounds: upTo.map(([bound]) => bound).filter(Number.isFinite),
    }
  })
}

const scopeOf = ({ version }: Resource) => ({ name: 'marquee', version })

function attributesOf(attributes: Record<string, SpanAttribute>) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }))
}

function anyValueOf(value: SpanAttribute) {
  if (typeof value === 'string') return { stringValue: value.slice(0, LONGEST_TEXT).toWellFormed() }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

import { oneOf, pairs, type Setting, text, url, wholeNumber } from './settings.ts'

/** Traces and metrics for a collector of OpenTelemetry, under the names that its specification gives them. */
export const telemetrySettings = {
  otlpEndpoint: url(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    undefined,
    'Collector of OpenTelemetry that traces and metrics are sent to, by OTLP over HTTP as JSON, `http://collector:4318`. Default: none are made.',
  ),
  otlpProtocol: oneOf(
    'OTEL_EXPORTER_OTLP_PROTOCOL',
    ['http/json'],
    'http/json',
    'How the collector is spoken to; collectors take it at the port of OTLP over HTTP, 4318.',
  ),
  otlpHeaders: decoded(
    pairs(
      'OTEL_EXPORTER_OTLP_HEADERS',
      [],
      'Headers for the collector, `name=value`, separated by commas, values percent-encoded.',
    ),
  ),
  otlpTimeoutMs: wholeNumber(
    'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    'Milliseconds in which the collector has to take what is sent to it.',
    { min: 1, max: 600_000 },
  ),
  serviceName: text('OTEL_SERVICE_NAME', 'marquee', 'What the collector knows this service as.'),
  resourceAttributes: decoded(
    pairs(
      'OTEL_RESOURCE_ATTRIBUTES',
      [],
      'What else the collector is told of this process, `name=value`, separated by commas, values percent-encoded.',
    ),
  ),
  tracesSampler: oneOf(
    'OTEL_TRACES_SAMPLER',
    ['parentbased_traceidratio', 'traceidratio'],
    'parentbased_traceidratio',
    'Whether a caller’s `traceparent` decides if a trace is kept, or the ratio alone: the latter where callers are strangers.',
  ),
  tracesRatio: ratio('OTEL_TRACES_SAMPLER_ARG', 'Share of traces that are kept, from 0 to 1.'),
  spansEveryMs: wholeNumber(
    'OTEL_BSP_SCHEDULE_DELAY',
    5000,
    'Milliseconds between two batches of spans; a full one goes at once.',
    { min: 10, max: 600_000 },
  ),
  mostSpans: wholeNumber(
    'OTEL_BSP_MAX_QUEUE_SIZE',
    4096,
    'Spans that wait for the collector; further ones are dropped.',
    { min: 1, max: 1_000_000 },
  ),
  metricsEveryMs: wholeNumber(
    'OTEL_METRIC_EXPORT_INTERVAL',
    60_000,
    'Milliseconds between two times that metrics are sent.',
    { min: 100, max: 86_400_000 },
  ),
}

function decoded(setting: Setting<[string, string][]>): Setting<[string, string][]> {
  const parse = (given: string) =>
    setting.parse(given).map(([name, value], i): [string, string] => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        throw new Error(`its item ${i + 1} is not percent-encoded.`)
      }
    })
  return { ...setting, parse }
}

function ratio(name: string, about: string): Setting<number> {
  const parse = (given: string) => {
    const value = Number(given)
    if (!/^\d*\.?\d+$/.test(given) || value > 1) throw new Error(`"${given}" is not a number from 0 to 1.`)
    return value
  }
  return { name, fallback: 1, shown: '1', about, parse }
}

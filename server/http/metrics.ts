import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { Type } from 'typebox'
import { forbidden, unauthorized } from '../base/errors.ts'
import type { MetricFamily } from '../base/metric-family.ts'
import type { Durations } from './durations.ts'
import { operation } from './operation.ts'
import { contentOf } from './schemas.ts'
import type { App } from './types.ts'

/** Something that is counted elsewhere, asked for when it is read. */
export interface CountedElsewhere {
  /** A counter only rises. */
  as: 'counter' | 'gauge'
  name: string
  help: string
  /** Names of the labels of what is counted by several. */
  labels?: string[]
  /** One that cannot be counted now is left out. */
  count(): number | Promise<LabelledCount[]>
}

export interface LabelledCount {
  labels: Record<string, string>
  value: number
}

/** All figures of the process, as often as they are asked for. */
export interface MetricsReader {
  contentType: string
  text(): Promise<string>
  families(): Promise<MetricFamily[]>
  close(): void
}

const EXAMPLE = 'marquee_http_request_duration_seconds_count{method="GET",route="/project",status="200"} 1\n'

export function openRegistry(counted: CountedElsewhere[], durations: Durations): MetricsReader {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'marquee_' })
  for (const { as, name, help, labels = [], count } of counted)
    new (as === 'counter' ? Counter : Gauge)({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const found = await countedNow(count)
        this.reset()
        for (const one of found) this.inc(one.labels, one.value)
      },
    })
  return {
    contentType: registry.contentType,
    text: async () => (await registry.metrics()) + durations.text(),
    families: async () => [
      ...((await registry.getMetricsAsJSON()) as unknown as MetricFamily[]),
      durations.family(),
    ],
    close: () => registry.clear(),
  }
}

/** Prometheus' text format. Numbers about traffic are the operator's: a token, or this machine. */
export function metricsRoute(app: App, metrics: MetricsReader, token: string | undefined): void {
  app.get(
    '/metrics',
    operation({
      tag: 'Operations',
      id: 'getMetrics',
      summary: 'Metrics for Prometheus',
      description:
        'Needs the configured token as a bearer; where none is configured, answers only direct callers from the same machine.',
      credential: 'none',
      security: [{ metricsToken: [] }, {}],
      limit: 'none',
      errors: { 401: 'Unauthorized', 403: 'Forbidden' },
      answers: {
        200: contentOf<string>('Prometheus’ text format', {
          'text/plain': Type.String({ examples: [EXAMPLE] }),
        }),
      },
    }),
    async (request, reply) => {
      allowScraping(request, token)
      reply.type(metrics.contentType)
      return metrics.text()
    },
  )
}

async function countedNow(count: CountedElsewhere['count']): Promise<LabelledCount[]> {
  try {
    const found = await count()
    return typeof found === 'number' ? [{ labels: {}, value: found }] : found
  } catch {
    // An engine that is away must not hide all the other figures.
    return []
  }
}

function allowScraping(request: FastifyRequest, token: string | undefined): void {
  if (token === undefined) {
    const direct = request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined
    if (direct && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? ''))
      return
    throw forbidden('set MARQUEE_METRICS_TOKEN to read metrics from elsewhere')
  }
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const shown = request.headers.authorization ?? ''
  if (!timingSafeEqual(digest(shown), digest(`Bearer ${token}`))) throw unauthorized()
}

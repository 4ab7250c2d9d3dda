import { expect } from 'vitest'
import { scriptedServer } from './scripted-server.ts'

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Record<string, string>
  links: { traceId: string; spanId: string }[]
  failed: boolean
}

export interface CollectedPoint {
  name: string
  attributes: Record<string, string>
  value: number
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number }
}

interface Point {
  attributes: Attribute[]
  timeUnixNano: string
  startTimeUnixNano: string
  asDouble?: number
  count?: string
  bucketCounts?: string[]
  explicitBounds?: number[]
}

/** Takes OTLP over HTTP, and refuses what does not follow the form of its JSON. */
export async function collector(...steps: Parameters<typeof scriptedServer>) {
  const server = await scriptedServer(...steps)
  const bodies = (path: string) =>
    server.heard
      .filter(({ url, isWhole }) => url === path && isWhole)
      .map(({ body, method, headers }) => {
        expect([method, headers['content-type']]).toEqual(['POST', 'application/json'])
        return JSON.parse(body)
      })
  return {
    ...server,
    /** Everything that was sent, as it was sent. */
    raw: () => server.heard.map(({ body }) => body).join('\n'),
    resources: () =>
      [...bodies('/v1/traces').flatMap((body) => body.resourceSpans)].map(({ resource }) =>
        attributesOf(resource.attributes),
      ),
    spans: (): CollectedSpan[] =>
      bodies('/v1/traces')
        .flatMap((body) => body.resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(spanOf),
    points: (): CollectedPoint[] =>
      bodies('/v1/metrics')
        .flatMap((body) => body.resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .flatMap(pointsOf),
  }
}

function spanOf(span: {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number }
}): CollectedSpan {
  expect(span.traceId).toMatch(/^[0-9a-f]{32}$/)
  for (const id of [span.spanId, span.parentSpanId ?? span.spanId]) expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  const { traceId, spanId, parentSpanId, name, kind, attributes, links = [], status } = span
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    attributes: attributesOf(attributes),
    links,
    failed: status.code === 2,
  }
}

function pointsOf(metric: {
  name: string
  sum?: { dataPoints: Point[]; aggregationTemporality: number; isMonotonic: boolean }
  gauge?: { dataPoints: Point[] }
  histogram?: { dataPoints: Point[]; aggregationTemporality: number }
}): CollectedPoint[] {
  const { name, sum, gauge, histogram } = metric
  if (sum) expect([sum.aggregationTemporality, sum.isMonotonic]).toEqual([2, true])
  return (sum ?? gauge ?? histogram)!.dataPoints.map((point) => {
    expect(BigInt(point.timeUnixNano)).toBeGreaterThan(BigInt(point.startTimeUnixNano))
    if (histogram) {
      const counts = point.bucketCounts!.map(Number)
      expect(counts).toHaveLength(point.explicitBounds!.length + 1)
      expect(counts.reduce((total, count) => total + count, 0)).toBe(Number(point.count))
    }
    return { name, attributes: attributesOf(point.attributes), value: point.asDouble ?? Number(point.count) }
  })
}

function attributesOf(attributes: Attribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))
}

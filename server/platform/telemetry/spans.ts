import { AsyncLocalStorage } from 'node:async_hooks'
import { type Span, spanChannel, traceparentChannel } from '../../base/tracing.ts'
import type { FinishedSpan } from './otlp.ts'
import {
  isInSample,
  newSpanId,
  newTraceId,
  readTraceparent,
  type TraceContext,
  writeTraceparent,
} from './trace-context.ts'

export interface SpanOptions {
  /** Share of the traces that are kept. */
  ratio: number
  /** Whether a trace from outside is kept where the caller keeps it, and only there. */
  byParent: boolean
  onSpan(span: FinishedSpan): void
  onDropped(): void
}

/** A span that lasts; one that is not sampled is known only to be handed on. */
interface LiveSpan extends TraceContext {
  parentSpanId?: string
  link?: { traceId: string; spanId: string }
  startedAt: bigint
  /** Of the trace as far as this process makes it. */
  local: { spans: number }
}

/** What was begun in a request and never ends would grow its trace for ever. */
const MOST_SPANS = 1000

/** Listens to what rooms tell, and makes spans of it. Answers how to stop. */
export function collectSpans({ ratio, byParent, onSpan, onDropped }: SpanOptions): () => void {
  const current = new AsyncLocalStorage<LiveSpan | undefined>()
  const live = new WeakMap<Span, LiveSpan>()

  function begin(span: Span): LiveSpan | undefined {
    const around = current.getStore()
    if (!span.begins && !around) return undefined
    const begun = span.begins ? beginTrace(span.begins) : continueTrace(around!)
    if (begun && begun !== around) live.set(span, begun)
    return begun
  }

  function beginTrace({ parent, linked }: NonNullable<Span['begins']>): LiveSpan {
    const outer = readTraceparent(parent)
    const link = readTraceparent(linked)
    const traceId = outer?.traceId ?? newTraceId()
    return {
      traceId,
      spanId: newSpanId(),
      parentSpanId: outer?.spanId,
      // A consequence of what is kept is kept as well.
      isSampled: byParent && (outer ?? link) ? (outer ?? link)!.isSampled : isInSample(traceId, ratio),
      link: link && { traceId: link.traceId, spanId: link.spanId },
      startedAt: now(),
      local: { spans: 1 },
    }
  }

  function continueTrace(around: LiveSpan): LiveSpan {
    if (!around.isSampled) return around
    if (around.local.spans >= MOST_SPANS) {
      onDropped()
      return around
    }
    around.local.spans++
    const { traceId, spanId, local } = around
    return { traceId, spanId: newSpanId(), parentSpanId: spanId, isSampled: true, startedAt: now(), local }
  }

  function end(span: Span & { error?: unknown }): void {
    const ended = live.get(span)
    if (!ended) return
    live.delete(span)
    if (!ended.isSampled) return
    const { traceId, spanId, parentSpanId, startedAt, link } = ended
    const { name, kind } = span
    const failed = span.failed === true || 'error' in span
    // Its kind alone: messages repeat what somebody sent.
    const attributes =
      'error' in span ? { ...span.attributes, 'error.type': kindOf(span.error) } : span.attributes
    onSpan({ traceId, spanId, parentSpanId, name, kind, startedAt, endedAt: now(), attributes, link, failed })
  }

  const tellCurrent = (carrier: unknown) => {
    const span = current.getStore()
    if (span) (carrier as { traceparent?: string }).traceparent = writeTraceparent(span)
  }
  // Its types have no store that is nothing.
  const store = current as unknown as AsyncLocalStorage<LiveSpan>
  spanChannel.start.bindStore(store as never, begin as never)
  const listeners = { error: end, asyncEnd: end }
  spanChannel.subscribe(listeners as never)
  traceparentChannel.subscribe(tellCurrent)
  return () => {
    spanChannel.start.unbindStore(store as never)
    spanChannel.unsubscribe(listeners as never)
    traceparentChannel.unsubscribe(tellCurrent)
  }
}

const kindOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)

/** Nanoseconds since 1970, to the microsecond. */
function now(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n
}

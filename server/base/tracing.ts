import { channel, tracingChannel } from 'node:diagnostics_channel'

export type SpanAttribute = string | number | boolean

/** A span of a trace as a room tells of it. Attributes that are known later are added while it lasts. */
export interface Span {
  name: string
  kind: 'internal' | 'server' | 'client' | 'consumer'
  /** Never what a tenant or a client has sent: no addresses, no names of files, no values of statements. */
  attributes: Record<string, SpanAttribute>
  /**
   * It begins a trace, or goes on with one from outside (`parent`), or is the consequence of another (`linked`), each as a
   * `traceparent`. Every other span is one only inside of these: what goes on by itself, such as looking for jobs, is not traced.
   */
  begins?: { parent?: string; linked?: string }
  /** Whether it has failed without a throw. */
  failed?: boolean
}

/** Node's own way to be traced: who tells does not know who listens, and where nobody does, it costs one comparison. */
export const spanChannel = tracingChannel<Span, Span>('marquee:span')

/** Whoever listens writes the `traceparent` of the span that lasts now into what is published. */
export const traceparentChannel = channel('marquee:traceparent')

/** Does the work, and tells of it as a span. `work` is given the span where somebody listens. */
export function traced<T>(about: () => Span, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!spanChannel.start.hasSubscribers) return work()
  const span = about()
  return spanChannel.tracePromise(work, span, undefined, span)
}

/** For another service, or for work that is done later: the span that lasts now, as W3C Trace Context writes it. */
export function traceparent(): string | undefined {
  if (!traceparentChannel.hasSubscribers) return undefined
  const carrier: { traceparent?: string } = {}
  traceparentChannel.publish(carrier)
  return carrier.traceparent
}

import { randomBytes } from 'node:crypto'

/** What of a trace goes from one service to the next. */
export interface TraceContext {
  traceId: string
  spanId: string
  isSampled: boolean
}

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** W3C's `traceparent`. What does not follow the form is as if nothing had been sent: so the standard has it. */
export function readTraceparent(given: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = FORM.exec(given ?? '') ?? []
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

export const newTraceId = () => randomBytes(16).toString('hex')
export const newSpanId = () => randomBytes(8).toString('hex')

/** Whether a trace is in a sample of this ratio: by its id alone, so that every service decides alike. */
export function isInSample(traceId: string, ratio: number): boolean {
  return Number(`0x${traceId.slice(-14)}`) < ratio * 2 ** 56
}

import type { FinishedSpan } from './otlp.ts'
import type { SendResult } from './sender.ts'

export interface SpanQueueOptions {
  send(spans: readonly FinishedSpan[], signal: AbortSignal): Promise<SendResult>
  /** Between two batches. */
  everyMs: number
  /** That wait; those that come then are dropped. */
  most: number
}

/** What was finished and is not sent yet: so much and no more, whatever the collector does. */
export interface SpanQueue {
  add(span: FinishedSpan): void
  drop(): void
  dropped(): number
  sent(): number
  /** Sends what is left until it is aborted. */
  close(signal: AbortSignal): Promise<void>
}

const BATCH = 512
const LONGEST_PAUSE_MS = 60_000

export function spanQueue({ send, everyMs, most }: SpanQueueOptions): SpanQueue {
  const stop = new AbortController()
  let waiting: FinishedSpan[] = []
  let dropped = 0
  let sent = 0
  let pauseMs = everyMs
  let sending: Promise<void> | undefined
  let closed = false
  let timer = setTimeout(tick, everyMs).unref()

  function tick(): void {
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (!closed) timer = setTimeout(tick, pauseMs).unref()
    })
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      const { outcome, rejected } = await send(batch, stop.signal)
      if (outcome === 'later') {
        keep(batch)
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)
        return
      }
      pauseMs = everyMs
      const taken = outcome === 'taken' ? Math.max(0, batch.length - rejected) : 0
      sent += taken
      dropped += batch.length - taken
    }
  }

  /** In front of what has come since, as far as there is room: the oldest are those that are given up. */
  function keep(batch: FinishedSpan[]): void {
    const room = Math.max(0, most - waiting.length)
    const kept = batch.slice(Math.max(0, batch.length - room))
    dropped += batch.length - kept.length
    waiting = [...kept, ...waiting]
  }

  return {
    add(span) {
      if (closed || waiting.length >= most) dropped++
      else if (waiting.push(span) === BATCH && pauseMs === everyMs && !sending) {
        clearTimeout(timer)
        tick()
      }
    },
    drop() {
      dropped++
    },
    dropped: () => dropped,
    sent: () => sent,
    async close(signal) {
      closed = true
      clearTimeout(timer)
      signal.addEventListener('abort', () => stop.abort())
      await sending
      await sendAll()
    },
  }
}

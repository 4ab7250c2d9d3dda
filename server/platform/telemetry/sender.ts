export interface SenderOptions {
  endpoint: string
  headers: readonly (readonly [string, string])[]
  timeoutMs: number
  /** Told once for each time that the collector stops taking what it is sent. */
  onTrouble(message: string): void
}

/** What came of sending: taken, not taken and not to be sent again, or to be tried later. */
export type SendOutcome = 'taken' | 'refused' | 'later'

export interface SendResult {
  outcome: SendOutcome
  /** Of what was taken, how many spans were left out all the same. */
  rejected: number
}

export type Send = (path: string, body: string, signal?: AbortSignal) => Promise<SendResult>

/** Those that the protocol asks to try again; after all others the same would be answered. */
const RETRYABLE = [429, 502, 503, 504]

/** OTLP over HTTP, as JSON. Never throws: whatever the collector does, nobody here is held up by it. */
export function otlpSender({ endpoint, headers, timeoutMs, onTrouble }: SenderOptions): Send {
  const all: [string, string][] = [
    ...headers.map(([name, value]): [string, string] => [name, value]),
    JSON_BODY,
  ]
  let troubled = false

  function told(outcome: SendOutcome, { reason, rejected = 0 }: Partial<Rejection> = {}): SendResult {
    if (reason && !troubled)
      onTrouble(`the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take what it is sent: ${reason}`)
    troubled = reason !== undefined
    return { outcome, rejected }
  }

  return async (path, body, signal) => {
    try {
      const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
      const answer = await fetch(`${endpoint}${path}`, {
        method: 'POST',
        headers: all,
        body,
        // The headers are for this address and no other.
        redirect: 'manual',
        signal: AbortSignal.any(signals),
      })
      if (answer.ok) return told('taken', rejectionIn(await beginningOf(answer)))
      await answer.body?.cancel()
      const reason = `it answers ${answer.status}`
      return told(RETRYABLE.includes(answer.status) ? 'later' : 'refused', { reason })
    } catch (error) {
      const { cause, name } = error as { cause?: { code?: string }; name: string }
      return told('later', { reason: cause?.code ?? name })
    }
  }
}

const JSON_BODY: [string, string] = ['content-type', 'application/json']

/** More than a collector has to say; an answer may have no end. */
const LONGEST_ANSWER = 64 * 1024

async function beginningOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of answer.body ?? []) {
    parts.push(part)
    length += part.length
    if (length > LONGEST_ANSWER) break
  }
  return Buffer.concat(parts).toString()
}

interface Rejection {
  reason: string | undefined
  rejected: number
}

/** A collector may take a batch and leave some of it out, which its answer says beside a status of 200. */
function rejectionIn(text: string): Rejection {
  try {
    const { rejectedSpans, rejectedDataPoints, errorMessage } = JSON.parse(text).partialSuccess ?? {}
    const rejected = Number(rejectedSpans ?? 0) || 0
    const all = rejected + (Number(rejectedDataPoints ?? 0) || 0)
    return {
      rejected,
      reason: all > 0 ? `it leaves out ${all}: ${errorMessage || 'no reason given'}` : undefined,
    }
  } catch {
    // Some answer nothing, or something of their own, and have taken all.
    return { rejected: 0, reason: undefined }
  }
}

import autocannon from 'autocannon'
import { line, median, print } from './report.ts'

const ROUNDS = 11
const SECONDS = 2

export interface Load {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  connections: number
  setupClient?: (client: object) => void
}

export interface Asked extends Load {
  what: string
  atLeast: number
  /** What else to say about a rate. */
  remark?: (rate: number) => string
}

/**
 * Requests a second of two servers, in short turns, so that whatever slows the machine down slows both: what counts is
 * how they are beside each other in each round.
 */
export async function compareRates(ours: string, baseline: { name: string; url: string }, asked: Asked) {
  const seen: [number[], number[]] = [[], []]
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    // Not always the same one first.
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const rate = await rateOf([ours, baseline.url][side]!, asked)
      if (round > 0) seen[side].push(rate)
    }
  const [rate, theirs] = [median(seen[0]), median(seen[1])]
  const words = (r: number) => `${Math.round(r)} requests/s${asked.remark?.(r) ?? ''}`
  print(`  ${asked.what}: ${words(rate)}, ${baseline.name} ${words(theirs)}`)
  const ratios = seen[0].map((ours, round) => ours / seen[1][round]!)
  line('ratio, median of the rounds', median(ratios), { atLeast: asked.atLeast })
}

/** Requests a second that are answered well. */
export async function rateOf(url: string, asked: Load): Promise<number> {
  const { method = 'GET', headers, body, connections, setupClient } = asked
  const options = { url, method, headers, body, connections, duration: SECONDS, setupClient }
  const { requests, non2xx, errors } = await autocannon(options)
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals, ${errors} errors`)
  return requests.average
}

// autocannon decodes each body as text, which for bytes that are none costs far more than serving them.
export function ignoreBody(client: object): void {
  Object.assign((client as { pipelinedRequests: object }).pipelinedRequests, { addBody() {} })
}

export function announce(bench: string, connections: number): void {
  print(`${bench}: ${connections} connections, median of ${ROUNDS} rounds of ${SECONDS} s each, in turn`)
}

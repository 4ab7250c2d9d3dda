import autocannon from 'autocannon'
import { line, median, print } from './report.ts'

const ROUNDS = 5
const SECONDS = 4

export interface Asked {
  what: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  connections: number
  atLeast: number
  setupClient?: (client: object) => void
  /** What else to say about a rate. */
  remark?: (rate: number) => string
}

/** Requests a second of two servers, in turn, so that whatever slows the machine down slows both. */
export async function compareRates(ours: string, baseline: { name: string; url: string }, asked: Asked) {
  const seen: [number[], number[]] = [[], []]
  // The first round warms both up and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of [0, 1] as const) {
      const rate = await load([ours, baseline.url][side]!, asked)
      if (round > 0) seen[side].push(rate)
    }
  const [rate, theirs] = [median(seen[0]), median(seen[1])]
  const words = (r: number) => `${Math.round(r)} requests/s${asked.remark?.(r) ?? ''}`
  print(`  ${asked.what}: ${words(rate)}, ${baseline.name} ${words(theirs)}`)
  line('ratio', rate / theirs, { atLeast: asked.atLeast })
}

async function load(url: string, asked: Asked): Promise<number> {
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

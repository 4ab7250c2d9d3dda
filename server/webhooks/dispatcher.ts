import { batch } from '../base/async/batch.ts'
import { type Semaphore, semaphore } from '../base/async/semaphore.ts'
import type { WebhookId } from '../base/ids.ts'
import type { Sql } from '../platform/postgres/client.ts'
import { type AttemptOptions, attempt } from './attempt.ts'
import {
  type AttemptOutcome,
  type ClaimedDelivery,
  claimDue,
  lookForWork,
  renewClaims,
  settle,
  tellEndpoints,
  type UntoldMessage,
  untoldMessages,
} from './dispatch-store.ts'
import { disable } from './store.ts'

export interface DispatcherDeps extends AttemptOptions {
  sql: Sql
  /** How long a message is tried. */
  tryForSeconds: number
  /** What a message is about, as the API shows it; nothing where it is gone. */
  readRecord(message: UntoldMessage): Promise<object | undefined>
  onError(error: unknown): void
  /** Whoever has not been heard of for so long counts as killed, and what it had is taken by others. */
  leaseSeconds?: number
  pollMs?: number
}

const MOST_MESSAGES = 1000
/** So many are taken of one endpoint at a time, and so many of them called at once. */
const MOST_CLAIMS = 128
const MOST_CALLS = 16
/** More are taken of an endpoint that has no more left than these, so that rounds take many at once. */
const FEW_CLAIMS = MOST_CLAIMS / 2
/** Of all endpoints together, so that a hundred slow ones leave room for others. Those that are not called yet hold no socket. */
const MOST_UNDER_WAY = 16_384
const GONE = 410

export interface Dispatcher {
  /** Waits a little for what is under way. What is not settled then is tried again, here or elsewhere. */
  close(): Promise<void>
}

/** Tells endpoints what has happened: again and again looks for messages that are new, and for deliveries that are due. */
export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { sql, onError, leaseSeconds = 30, pollMs = 500 } = deps
  const underWay = new Map<ClaimedDelivery, Promise<void>>()
  const calls = new Map<WebhookId, { count: number; turn: Semaphore }>()
  const nap = napper(pollMs)
  let telling: Promise<void> | undefined
  let tellAgainAt = 0
  let closed = false

  const settleBatched = batch<AttemptOutcome, void>(
    async (take) => {
      const outcomes = take()
      await settle(sql, outcomes)
      return outcomes.map(() => undefined)
    },
    { concurrency: 1, maxItems: 200, maxWeight: 200, weigh: () => 1, failsForAll: () => false },
  )

  async function finish(claim: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    // Broken off by the end of this process: that says nothing about the endpoint.
    if (closed && outcome.status === null) return
    await settleBatched(outcome)
    if (outcome.status === GONE)
      await sql.begin((tx) => disable(tx, claim.endpoint_id, 'it answered 410 Gone'))
  }

  function take(claim: ClaimedDelivery): void {
    const ofEndpoint = calls.get(claim.endpoint_id) ?? { count: 0, turn: semaphore(MOST_CALLS) }
    calls.set(claim.endpoint_id, ofEndpoint)
    ofEndpoint.count++
    // The next one is called while the database is told of this one.
    const done = ofEndpoint
      .turn(() => attempt(claim, deps))
      .then((outcome) => finish(claim, outcome))
      .catch(complain)
      .finally(() => {
        underWay.delete(claim)
        if (--ofEndpoint.count === 0) calls.delete(claim.endpoint_id)
        if (ofEndpoint.count <= FEW_CLAIMS) nap.end()
      })
    underWay.set(claim, done)
  }

  async function tell(): Promise<void> {
    for (let told = 1; told > 0 && !closed; ) {
      const messages = await untoldMessages(sql, MOST_MESSAGES)
      const described = await Promise.all(
        messages.map(async (message) => {
          const record = await deps.readRecord(message)
          return { seq: message.seq, data: { id: message.resource, ...record, ...message.data } }
        }),
      )
      told = await tellEndpoints(sql, described, deps.tryForSeconds)
      if (told > 0) nap.end()
      // Another process tells them.
      else if (messages.length > 0) tellAgainAt = performance.now() + pollMs
    }
  }

  async function round(): Promise<boolean> {
    const { isUntold, isPending } = await lookForWork(sql)
    // Endpoints are called meanwhile.
    if (isUntold && performance.now() >= tellAgainAt)
      telling ??= tell()
        .catch((error) => {
          tellAgainAt = performance.now() + pollMs
          complain(error)
        })
        .finally(() => {
          telling = undefined
        })
    if (!isPending || underWay.size >= MOST_UNDER_WAY) return false
    const busy = [...calls].filter(([, { count }]) => count > FEW_CLAIMS).map(([id]) => id)
    const claims = await claimDue(sql, { busy, mostOfEndpoint: MOST_CLAIMS, leaseSeconds })
    for (const claim of claims) take(claim)
    return claims.length > 0
  }

  async function loop(): Promise<void> {
    while (!closed) if (!(await round().catch(complain))) await nap.begin()
  }

  function complain(error: unknown): void {
    if (!closed) onError(error)
  }

  const renewing = setInterval(
    () => {
      if (underWay.size > 0) renewClaims(sql, [...underWay.keys()], leaseSeconds).catch(onError)
    },
    (leaseSeconds * 1000) / 3,
  ).unref()
  const looping = loop()

  return {
    async close() {
      closed = true
      nap.end()
      await Promise.all([looping, telling])
      await Promise.race([
        Promise.all(underWay.values()),
        new Promise((end) => setTimeout(end, 2000).unref()),
      ])
      clearInterval(renewing)
      deps.outbound.close()
      await Promise.all(underWay.values())
    },
  }
}

interface Napper {
  /** Resolves after a while, or when it is ended, and at once where that was since the last one. */
  begin(): Promise<void>
  end(): void
}

function napper(ms: number): Napper {
  let isOver = false
  let wake = () => {}
  return {
    async begin() {
      if (!isOver)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      isOver = false
    },
    end() {
      isOver = true
      wake()
    },
  }
}

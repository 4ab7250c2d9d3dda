import type { Batch, BatchStore } from './store.ts'

export interface OutboxOptions {
  /** Of the events operation, with the key in its query: so that a page of another origin needs no preflight. */
  to: string
  store: BatchStore
  newId: () => string
  /** What is true of all events that are put into a batch now. */
  envelope: () => object
  /** Milliseconds that events wait for others. */
  wait: number
  /** The service has refused what was sent: nothing is sent any more. Told once. */
  onRefusal: (why: string) => void
}

export interface Outbox {
  add(kind: string, fields: object): void
  /** Sends what is there; resolves once it has arrived, or has to wait. */
  flush(): Promise<void>
  /** For a page that may be gone in a moment. */
  beacon(): void
  forget(): void
  close(): void
}

/** Of a body, in characters. A browser takes 64 KB of beacons at a time, whatever characters have. */
const FULL = 12_000
/** As many are kept, in memory and in the store; then the oldest go. */
const MOST_BATCHES = 100
const TIMEOUT = 30_000
const FIRST_BACKOFF = 1000
const LONGEST_BACKOFF = 300_000
/** The service knows a key again for a day. What was tried before that cannot be sent without maybe counting twice. */
const KNOWN_FOR = 23 * 3600_000
/** `Date` has no fractions of a second, and an answer takes its time. */
const CLOCK_DOUBT = 2000

/** Puts events into batches and sends them, each until it is acknowledged. */
export function openOutbox({ to, store, newId, envelope, wait, onRefusal }: OutboxOptions): Outbox {
  let waiting: { at: number; kind: string; fields: object }[] = []
  let length = 0
  let batches: Batch[] = []
  /** Milliseconds by which the service's clock is ahead of the page's; not known before the first answer. */
  let ahead: number | undefined
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  let isClosed = false

  store.all().then((kept) => {
    for (const batch of kept)
      if (batch.tried && Date.now() - batch.tried > KNOWN_FOR) store.remove(batch.id)
      else if (!batches.some(({ id }) => id === batch.id)) batches.push(batch)
    schedule(wait)
  })

  function schedule(ms: number): void {
    if (!isClosed && waiting.length + batches.length > 0) timer ??= setTimeout(flush, ms)
  }

  /** From here on they are what they are: their times are the service's, and the body does not change any more. */
  function seal(): void {
    if (waiting.length === 0) return
    const events = waiting.map(({ at, kind, fields }) => ({
      timestamp: new Date(at + (ahead ?? 0)),
      [kind]: fields,
    }))
    const batch = { id: newId(), to, body: JSON.stringify({ ...envelope(), events }) }
    waiting = []
    length = 0
    batches.push(batch)
    store.put(batch)
    while (batches.length > MOST_BATCHES) drop(batches[0]!)
  }

  function drop({ id }: Batch): void {
    batches = batches.filter((batch) => batch.id !== id)
    store.remove(id)
  }

  function markTried(batch: Batch): void {
    batch.tried ??= Date.now()
    store.put(batch)
  }

  /** Sends a body; throws the milliseconds to wait where it is worth another try, and a text where it is not. */
  async function post(address: string, body: string): Promise<void> {
    const response = await fetch(address, {
      method: 'POST',
      body,
      keepalive: true,
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT),
    }).catch(() => {
      throw 0
    })
    const { ok, status, headers } = response
    const off = Date.parse(headers.get('date')!) + 500 - Date.now()
    ahead = Math.abs(off) > CLOCK_DOUBT ? off : 0
    if (ok) return
    if (status > 499 || status === 429 || status === 408) throw Number(headers.get('retry-after')) * 1000
    throw `${status} ${await response.text()}`
  }

  async function send(): Promise<void> {
    // To try in vain would start the day in which a key is known.
    if (globalThis.navigator?.onLine === false) {
      seal()
      throw 0
    }
    // Without a clock to trust, the first request has no events: its answer tells the time.
    if (ahead === undefined) await post(to, '{"events":[]}')
    for (seal(); batches.length > 0 && !isClosed; seal()) {
      const batch = batches[0]!
      markTried(batch)
      try {
        await post(addressOf(batch), batch.body)
      } catch (error) {
        if (typeof error === 'string') drop(batch)
        throw error
      }
      drop(batch)
    }
    failures = 0
  }

  const addressOf = ({ id }: Batch) => `${to}&idempotency_key=${id}`

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (!isClosed && waiting.length + batches.length > 0)
      sending ??= send()
        .catch(putOff)
        .finally(() => {
          sending = undefined
        })
    await sending
  }

  function putOff(error: unknown): void {
    if (typeof error === 'string') {
      isClosed = true
      waiting = []
      batches = []
      onRefusal(error)
    } else {
      // Jitter: those who failed together do not come back together.
      const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** failures++)
      schedule(Math.max(Number(error) || 0, backoff * (0.5 + Math.random() / 2)))
    }
  }

  return {
    add(kind, fields) {
      if (isClosed) return
      waiting.push({ at: Date.now(), kind, fields })
      length += JSON.stringify(fields).length
      if (length > FULL) seal()
      schedule(wait)
    },
    flush,
    beacon() {
      seal()
      for (const batch of batches) {
        markTried(batch)
        // Nobody answers a beacon, so that it stays a batch: it is sent once more when there is time, and counts once.
        if (!navigator.sendBeacon(addressOf(batch), batch.body)) break
      }
      schedule(wait)
    },
    forget() {
      waiting = []
      batches = []
      store.clear()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

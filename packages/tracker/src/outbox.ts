import { newId } from './about.ts'
import { type Batch, openStore } from './store.ts'

export interface OutboxOptions {
  /** Of the events operation, with the key in its query: so that a page of another origin needs no preflight. */
  to: string
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
/** What a browser sends of a page that has gone, of at most three bytes a character. */
const OUTLIVES_PAGE = 20_000
/** Of an event beside its fields, in characters. */
const AROUND = 60
/** Of a text, in characters: the service takes no longer one. */
const LONGEST_TEXT = 16_384
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
export function openOutbox({ to, envelope, wait, onRefusal }: OutboxOptions): Outbox {
  /** Their times are the page's. */
  let waiting: object[] = []
  let length = 0
  let batches: Batch[] = []
  /** Milliseconds by which the service's clock is ahead of the page's; not known before the first answer. */
  let ahead: number | undefined
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  let isClosed = false
  /** What other pages have left; not wanted any more when it is forgotten before it is read. */
  let old: Batch[] | undefined = []
  const store = openStore(to, (kept) => {
    if (!old) return
    old = kept
    // What this page has made is put into the store after it was read.
    batches = [...kept, ...batches]
    schedule(wait)
  })

  function schedule(ms: number): void {
    timer ??= setTimeout(flush, ms)
  }

  /** From here on they are what they are: the body does not change any more, unless its times are the page's. */
  function seal(): void {
    if (!waiting[0]) return
    const batch = {
      id: newId(),
      to,
      body: bodyOf({ ...envelope(), events: waiting }),
      isOff: ahead === undefined,
    }
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

  /** What is to be sent: not what was tried too long ago, and by the service's clock unless it was tried by the page's. */
  function due(): Batch[] {
    seal()
    for (const batch of batches)
      if (Date.now() - batch.tried! > KNOWN_FOR) drop(batch)
      else if (batch.isOff && !batch.tried) {
        batch.body = bodyOf(JSON.parse(batch.body))
        batch.isOff = ahead === undefined
      }
    return batches
  }

  /** By the service's clock, as far as that is known, and with texts as long as it takes them. */
  function bodyOf(request: object): string {
    return JSON.stringify(request, (name, value) =>
      name === 'timestamp'
        ? new Date(+new Date(value) + (ahead ?? 0)).toJSON()
        : (value?.slice?.(0, LONGEST_TEXT) ?? value),
    )
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
      keepalive: body.length < OUTLIVES_PAGE,
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const { ok, status, headers } = response
    const off = Date.parse(headers.get('date')!) + 500 - Date.now()
    ahead = Math.abs(off) > CLOCK_DOUBT ? off : 0
    // Until it is read, the request counts among those that may outlive the page, of which a browser takes 64 KB.
    const text = await response.text()
    if (ok) return
    if (status > 499 || status === 429 || status === 408) throw +headers.get('retry-after')! * 1000
    throw `${status} ${text}`
  }

  async function send(): Promise<void> {
    // To try in vain would start the day in which a key is known.
    if (globalThis.navigator?.onLine === false) throw 0
    // Without a clock to trust, the first request has no events: its answer tells the time.
    if (ahead === undefined) await post(to, '{"events":[]}')
    while (due().length > 0 && !isClosed) {
      const batch = batches[0]!
      markTried(batch)
      try {
        await post(addressOf(batch), batch.body)
      } catch (error) {
        const isMalformed = /^400 /.test(error as string)
        if (isMalformed && batch.isOff) {
          // A beacon by the page's clock. It was refused as well, so that it may be sent by another one.
          batch.tried = undefined
          continue
        }
        if (typeof error === 'string') drop(batch)
        // What another page has left says nothing of what this one sends.
        if (!isMalformed || !old?.includes(batch)) throw error
      }
      drop(batch)
    }
    failures = 0
  }

  const addressOf = ({ id }: Batch) => `${to}&idempotency_key=${id}`

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (!isClosed && due().length > 0)
      sending ??= send()
        .catch((error) => {
          if (typeof error === 'string') {
            isClosed = true
            waiting = []
            batches = []
            onRefusal(error)
          } else {
            // Jitter: those who failed together do not come back together.
            const backoff = Math.min(LONGEST_BACKOFF, FIRST_BACKOFF * 2 ** failures++)
            schedule(Math.max(+error || 0, backoff * (0.5 + Math.random() / 2)))
          }
        })
        .finally(() => {
          sending = undefined
        })
    await sending
  }

  return {
    add(kind, fields) {
      if (isClosed) return
      waiting.push({ timestamp: Date.now(), [kind]: fields })
      length += JSON.stringify(fields).length + AROUND
      if (length > FULL) seal()
      schedule(wait)
    },
    flush,
    beacon() {
      // Nobody answers a beacon, so that it stays a batch: it is sent once more when there is time, and counts once.
      for (const batch of due()) if (navigator.sendBeacon(addressOf(batch), batch.body)) markTried(batch)
      schedule(wait)
    },
    forget() {
      old = undefined
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

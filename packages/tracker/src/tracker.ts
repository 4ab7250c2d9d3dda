import { aboutBrowser, aboutSession, asksForPrivacy, kept, newId } from './about.ts'
import type { ClientError, ContentView, Emit, Engagement, Interaction } from './events.ts'
import { openOutbox } from './outbox.ts'
import { type AttachOptions, type WatchedVideo, watchVideo } from './watch-video.ts'

export interface TrackerOptions {
  /** Where the service is, such as `https://media.example.com`; may be left out on a page of that origin. */
  url?: string
  /** A publishable key: it is in the address of requests. */
  key: string
  /** Who watches, as your app knows them; otherwise an id that is made up and kept in this browser. */
  viewerId?: string
  /** Where they are, where your app knows it: a browser does not say. */
  country?: string
  /** Whether they may be followed. Unless told, they may if the browser does not ask for privacy. */
  consent?: boolean
  /** Milliseconds that events wait for others to be sent together; 5,000 unless told. */
  wait?: number
  /** Milliseconds after which a video that plays is told of again; 30,000 unless told. */
  heartbeat?: number
  /** Told once when the service refuses what is sent, after which nothing is sent; a warning on the console otherwise. */
  onRefusal?: (why: string) => void
}

export interface Tracker {
  /** Follows a video until the function that it answers is called. */
  attach(video: HTMLVideoElement, options: AttachOptions): () => void
  /** A view by hand, for what is no video element. */
  view(fields: ContentView): void
  engagement(fields: Engagement): void
  interaction(fields: Interaction): void
  error(fields: ClientError): void
  /** No: forgets who watches and what is not sent, and nothing is sent until a yes. */
  consent(isGiven: boolean): void
  /** Sends what waits; resolves once it has arrived, or has to wait for a better time. */
  flush(): Promise<void>
  /** Detaches all videos and sends what waits. */
  close(): Promise<void>
}

interface Attached {
  start(): WatchedVideo
  /** Where the viewer may be followed. */
  video?: WatchedVideo | undefined
}

export function createTracker(options: TrackerOptions): Tracker {
  const { url = '', key, country, wait = 5000, heartbeat = 30_000 } = options
  const to = `${url}/analytics/v1/events?key=${key}`
  const attached = new Set<Attached>()
  let viewer: string | undefined
  let isAllowed: boolean | undefined

  const outbox = openOutbox({
    to,
    envelope: () => ({ user_id: viewer, country, ...aboutBrowser() }),
    wait,
    onRefusal: options.onRefusal ?? ((why) => console.warn(`Marquee refuses events: ${why}`)),
  })

  const emit: Emit = (kind, fields) => {
    if (isAllowed) outbox.add(kind, fields)
  }

  function consent(isGiven: boolean): void {
    if (isGiven === isAllowed) return
    isAllowed = isGiven
    if (isGiven) begin()
    else forget()
  }

  function begin(): void {
    viewer = options.viewerId || kept('localStorage') || kept('localStorage', newId()) || newId()
    if (!kept('sessionStorage')) emit('session_start', aboutSession())
    kept('sessionStorage', viewer)
    for (const one of attached) one.video = one.start()
  }

  function forget(): void {
    for (const one of attached) {
      one.video?.stop()
      one.video = undefined
    }
    viewer = undefined
    kept('localStorage', null)
    kept('sessionStorage', null)
    outbox.forget()
  }

  /** A page that is hidden may never be seen again: phones end those without a word. */
  function leave(): void {
    for (const { video } of attached) video?.settle()
    outbox.beacon()
  }

  function onVisibility(): void {
    if (document.hidden) leave()
    else {
      for (const { video } of attached) video?.resume()
      outbox.flush()
    }
  }

  // Visibility bubbles up to the window, where all of them are heard. On a server there is none.
  const life = new AbortController()
  const hear = (name: string, listener: () => void) => globalThis.addEventListener?.(name, listener, life)
  hear('visibilitychange', onVisibility)
  hear('pageshow', onVisibility)
  hear('pagehide', leave)
  hear('online', outbox.flush)

  function detach(one: Attached): void {
    attached.delete(one)
    one.video?.stop()
  }

  consent(options.consent ?? !asksForPrivacy())

  return {
    attach(video, about) {
      const start = () => watchVideo(video, about, emit, heartbeat)
      const one: Attached = { start, video: isAllowed ? start() : undefined }
      attached.add(one)
      return () => detach(one)
    },
    view: (fields) => emit('content_view', fields),
    engagement: (fields) => emit('engagement', fields),
    interaction: (fields) => emit('interaction', fields),
    error(fields) {
      const about = [...attached].find(({ video }) => video?.contentId === fields.resource_id)
      emit('error', { session_id: about?.video?.playId(), ...fields })
    },
    consent,
    flush: outbox.flush,
    async close() {
      life.abort()
      for (const one of attached) detach(one)
      await outbox.flush()
      outbox.close()
    },
  }
}
